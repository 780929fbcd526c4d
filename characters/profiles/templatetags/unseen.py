"""Show invisible characters, where somebody reads a text before deciding on it."""

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from characters.domain import unseen

register = template.Library()
NAMED = 6
"""Hidden characters in a row that are named; the others are counted."""


@register.filter
def shown(text: str) -> SafeString:
    """Return `text` with its hidden characters named, each run in a small box."""
    return mark_safe(unseen.replaced(conditional_escape(text), _box))  # noqa: S308  it was escaped right here


@register.filter
def hides(text: str) -> bool:
    """Return whether the text has hidden characters."""
    return unseen.without(text) != text


def _box(run: str) -> str:
    names, codes = (", ".join(map(name, run[:NAMED])) for name in (unseen.named, unseen.code))
    more = f" and {len(run) - NAMED:,} more" if len(run) > NAMED else ""
    return format_html('<span class="hidden-character" title="{}{}">{}{}</span>', names, more, codes, more)
