"""Filters for figures."""

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma

register = template.Library()


@register.filter
def ms(value: float) -> str:
    """Milliseconds for reading: one decimal under 10, none above."""
    return f"{value:.1f}" if value < 9.95 else str(intcomma(round(value)))
