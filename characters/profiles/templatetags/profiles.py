"""Template tags of characters' pages: differences, counts."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from characters.domain.sheet import REFLEXIVES, Sheet
from characters.profiles.comparison import Piece

register = template.Library()
TAGS = {"removed": "<del>{}</del>", "added": "<ins>{}</ins>", "same": "{}"}


@register.filter
def of(counts: Mapping[str, int], key: str) -> int:
    """Return the count of a key, 0 without one."""
    return counts.get(key, 0)


@register.filter
def reflexive(sheet: Sheet | None) -> str:
    """Return how a sentence refers back to the character, such as "herself"."""
    return REFLEXIVES[sheet.settings.pronouns if sheet else "they"]


@register.filter
def named(slugs: Iterable[str], names: Mapping[str, str]) -> list[str]:
    """Return the names of these, of those without one the slugs."""
    return [names.get(slug, slug) for slug in slugs]


@register.filter
def lines(texts: Iterable[str]) -> str:
    """Return the texts one per line, for a text field."""
    return "\n".join(texts)


@register.filter
def parameters(values: Mapping[str, Any]) -> str:
    """Return parameters of a language model as a line: "temperature 0.3, max_tokens 300"."""
    return ", ".join(f"{name} {value}" for name, value in values.items())


@register.filter
def marked(pieces: Iterable[Piece]) -> SafeString:
    """Return `pieces` with <del> and <ins>, without extra white space."""
    return format_html_join("", "{}", ((format_html(TAGS[piece.kind], piece.text),) for piece in pieces))
