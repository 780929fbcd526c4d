"""Filters for a sheet's texts."""

import re

from django import template

register = template.Library()

_SENTENCE = re.compile(r"(.+?[.!?])(?:\s|$)", re.DOTALL)


@register.filter
def first_sentence(text: str, name: str = "") -> str:
    """The first sentence of an identity, said about her instead of to her."""
    match = _SENTENCE.match(text.strip())
    sentence = match.group(1) if match else text
    return re.sub(rf"^You are {re.escape(name)},\s*(\w)", lambda m: m.group(1).upper(), sentence) if name else sentence
