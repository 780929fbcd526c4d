"""What every page's frame shows: where this user can go, and whether a language model is connected."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string
from django.utils.text import slugify

from kgadmin.accounts.roles import AnyUser, is_administrator, roles_of


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of the navigation. `count` says how much waits there, asked for only where it is shown."""

    name: str
    path: str
    icon: str
    current: bool = False
    count: Callable[[], int] | None = field(default=None, compare=False)

    @property
    def is_counted(self) -> bool:
        """Whether something may wait there."""
        return self.count is not None

    @property
    def slug(self) -> str:
        """What the element of its count is called."""
        return slugify(self.path)


@dataclass(frozen=True, slots=True)
class Group:
    """The entries of one role."""

    name: str
    items: tuple[Item, ...]


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
    "tester": (Item("Playground", "/playground/", "reply"), Item("People", "/people/", "people")),
}
"""The pages of each role; the first is where the role arrives."""
ADMINISTRATION = (Item("Accounts", "/accounts/", "people"), Item("API keys", "/keys/", "lock"))
"""The pages of administrators, after those of all roles."""

ARRIVAL = ("tester", "operator", "author")
"""Who has several roles arrives at the first page of the first of these."""


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `navigation` and `language_model_connected`."""
    user = getattr(request, "user", None)
    roles = roles_of(user) if user else frozenset()
    groups = _groups(roles, request.path) + _administration(user, request.path)
    return {
        "navigation": [_counted(group, user) for group in groups],
        "language_model_connected": bool(settings.CONFIG.llm_base_url),
    }


def first_page(roles: frozenset[str]) -> str | None:
    """The path where somebody with these roles starts."""
    return next((PAGES[role][0].path for role in ARRIVAL if role in roles), None)


def _groups(roles: frozenset[str], path: str) -> list[Group]:
    """The pages of each role; one that several roles have stands with the first of them."""
    groups: list[Group] = []
    shown: set[str] = set()
    for role, of_role in PAGES.items():
        pages = [page for page in of_role if page.path not in shown] if role in roles else []
        shown |= {page.path for page in pages}
        if pages:
            groups.append(Group(role.capitalize(), tuple(_marked(page, path) for page in pages)))
    return groups


def _administration(user: AnyUser | None, path: str) -> list[Group]:
    if user is None or not is_administrator(user):
        return []
    return [Group("Administrator", tuple(_marked(page, path) for page in ADMINISTRATION))]


def _counted(group: Group, user: AnyUser | None) -> Group:
    """With what waits for this user; the features say how it is counted."""
    names = settings.NAVIGATION_COUNTS
    items = (
        replace(item, count=partial(import_string(names[item.path]), user)) if item.path in names else item
        for item in group.items
    )
    return replace(group, items=tuple(items))


def _marked(page: Item, path: str) -> Item:
    return replace(page, current=path.startswith(page.path))
