"""Filters and tags of the dashboard."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from kgadmin.operations.base_use import Kind, Use
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


@register.simple_tag(takes_context=True)
def turns_link(context: Mapping[str, Any], use: Use, kind: Kind, value: int | None, unit: str = "") -> SafeString:
    """Render a figure of a base as a link to its turns, where there are some and the user may open them."""
    if value is None:
        return format_html('<span class="quiet">{}</span>', "none")
    text = f"{intcomma(value)}{unit}"
    if not (getattr(use, kind) and context["may_open"]):
        return format_html("{}", text)
    address = reverse(
        "operations:base_turns", args=[use.base.slug], query={"kind": kind, "period": context["period"].key}
    )
    return format_html('<a href="{}">{}</a>', address, text)
