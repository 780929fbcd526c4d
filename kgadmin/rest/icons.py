"""The icons of the pages, which templates/_icons.html draws."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    """The icon of this name; the words beside it say what it means."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="#i-{}" /></svg>', name)
