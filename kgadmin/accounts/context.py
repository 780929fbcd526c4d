"""What every page's frame shows: where this user can go, and whether a language model is connected."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from kgadmin.accounts.roles import roles_of


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of the navigation."""

    name: str
    path: str
    icon: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """The entries of one role."""

    name: str
    items: tuple[Item, ...]


PAGES = {
    "author": (Item("Characters", "/characters/", "characters"),),
    "operator": (
        Item("Dashboard", "/dashboard/", "dashboard"),
        Item("Knowledge", "/knowledge/", "documents"),
        Item("Enrichment", "/enrichment/", "link"),
        Item("Import", "/import/", "upload"),
        Item("Health", "/health/", "pulse"),
    ),
    "tester": (Item("Playground", "/playground/", "reply"),),
}
"""The pages of each role; the first is where the role arrives."""

ARRIVAL = ("tester", "operator", "author")
"""Who has several roles arrives at the first page of the first of these."""


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `navigation` and `language_model_connected`."""
    user = getattr(request, "user", None)
    roles = roles_of(user) if user else frozenset()
    return {
        "navigation": [Group(role.capitalize(), _items(role, request.path)) for role in PAGES if role in roles],
        "language_model_connected": bool(settings.CONFIG.llm_base_url),
    }


def first_page(roles: frozenset[str]) -> str | None:
    """The path where somebody with these roles starts."""
    return next((PAGES[role][0].path for role in ARRIVAL if role in roles), None)


def _items(role: str, path: str) -> tuple[Item, ...]:
    return tuple(Item(page.name, page.path, page.icon, current=path.startswith(page.path)) for page in PAGES[role])
