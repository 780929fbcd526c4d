"""Filters of the dashboard."""

from django import template

register = template.Library()

NAMES = {"ambient": "Ambient connections", "turn": "Whole turn"}
SOURCES = {
    "probe": "primary",
    "user_facts": "user-facts",
    "ambient": "connections",
    "documents": "supplemental",
    "intent": "identity",
    "prompt": "history",
    "turn": "identity",
}


@register.filter
def stage(name: str) -> str:
    """A stage's name in words."""
    return NAMES.get(name, name.replace("_", " ").capitalize())


@register.filter
def source(name: str) -> str:
    """The hue of a stage."""
    return SOURCES.get(name, name)


@register.filter
def short(value: float) -> str:
    """Milliseconds: one decimal under 10, none above."""
    return f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


@register.filter
def unlocalized(value: float) -> str:
    """A number as SVG reads it."""
    return f"{value:.1f}"
