"""Filters of the dashboard."""

from django import template

from playground.inspector.trace import TITLES

register = template.Library()

TURN = ("Whole turn", "", "identity")


@register.filter
def stage(name: str) -> str:
    """Return a stage's name in words, or the whole turn's."""
    return TITLES.get(name, TURN)[0]


@register.filter
def source(name: str) -> str:
    """Return the hue of a stage."""
    return TITLES.get(name, TURN)[2]
