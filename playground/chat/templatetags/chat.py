"""Filters for what is said, and for how long it took."""

from django import template

from kgadmin.markdown import as_html

register = template.Library()
register.filter("markdown", as_html)


@register.filter
def ms(value: float) -> str:
    """Milliseconds for reading: one decimal under 10, none above."""
    return f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"
