"""Context of every page's frame: navigation for this user, and whether a language model is connected."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string
from django.utils.text import slugify

from kgadmin.accounts.roles import ADMINISTRATOR, AnyUser, roles_of


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of the navigation. `count` is how much waits there, computed only where it is shown."""

    name: str
    path: str
    icon: str
    current: bool = False
    count: Callable[[], int] | None = field(default=None, compare=False)

    @property
    def is_counted(self) -> bool:
        """Return whether something may wait there."""
        return self.count is not None

    @property
    def slug(self) -> str:
        """Return the id of its count's element."""
        return slugify(self.path)


PAGES = {
    "author": (Item("Characters", "/characters/", "characters"),),
    "operator": (
        Item("Dashboard", "/dashboard/", "dashboard"),
        Item("Review", "/review/", "check"),
        Item("People", "/people/", "people"),
        Item("Knowledge", "/knowledge/", "documents"),
        Item("Enrichment", "/enrichment/", "link"),
        Item("Import", "/import/", "upload"),
        Item("Audit log", "/audit/", "clock"),
        Item("Health", "/health/", "pulse"),
    ),
    "tester": (
        Item("Playground", "/playground/", "reply"),
        Item("Try a message", "/routing/", "probe"),
        Item("People", "/people/", "people"),
        Item("Clients", "/clients/", "link"),
    ),
    ADMINISTRATOR: (Item("Accounts", "/accounts/", "people"), Item("Clients", "/clients/", "link")),
}
"""Pages of each role; a role starts at its first page."""

ARRIVAL = ("tester", "operator", "author")
"""Roles by precedence: a user with several starts at the first page of the first."""


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `navigation`, groups of items by role, and `language_model_connected`."""
    user = getattr(request, "user", None)  # absent if an earlier middleware answered
    return {
        "navigation": _groups(user, request.path) if user else [],
        "language_model_connected": bool(settings.CONFIG.llm_base_url),
    }


def first_page(roles: frozenset[str]) -> str | None:
    """Return the path where somebody with these roles starts."""
    return next((PAGES[role][0].path for role in ARRIVAL if role in roles), None)


def _groups(user: AnyUser, path: str) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = []
    shown: set[str] = set()
    roles = roles_of(user)
    for role, pages in PAGES.items():
        items = [_item(page, user, path) for page in pages if role in roles and page.path not in shown]
        shown |= {item.path for item in items}
        if items:
            groups.append({"name": role.capitalize(), "items": items})
    return groups


def _item(page: Item, user: AnyUser, path: str) -> Item:
    """Return the page's item with `current` and `count` set for this request; `NAVIGATION_COUNTS` says how to count."""
    counter = settings.NAVIGATION_COUNTS.get(page.path)
    count = partial(import_string(counter), user) if counter else None
    return replace(page, current=path.startswith(page.path), count=count)
