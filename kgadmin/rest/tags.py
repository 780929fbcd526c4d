"""Template tags of many pages: icons (drawn by templates/_icons.html), labelled figures, states, heads of tables."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    """Render the icon of this name; the words beside it say what it means."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="#i-{}" /></svg>', name)


@register.simple_tag
def figure(label: str, value: object) -> SafeString:
    """Render one figure of a `<dl class="figures">`."""
    return format_html("<div><dt>{}</dt><dd>{}</dd></div>", label, value)


@register.simple_tag
def columns(*names: str) -> SafeString:
    """Render the head of a table."""
    cells = format_html_join("", '<th scope="col">{}</th>', ((name,) for name in names))
    return format_html("<thead><tr>{}</tr></thead>", cells)


@register.simple_tag
def state(text: str, icon_name: str, tone: str = "") -> SafeString:
    """Render a state in words with an icon; `tone` is good, warn, bad or neither."""
    attribute = format_html(' data-state="{}"', tone) if tone else ""
    return format_html('<span class="state"{}>{}{}</span>', attribute, icon(icon_name), text)
