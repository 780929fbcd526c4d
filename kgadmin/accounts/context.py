"""What every page's frame shows: where this user can go, and whether a language model is connected."""

from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from kgadmin.accounts.roles import AnyUser, is_administrator, roles_of


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
        Item("People", "/people/", "people"),
        Item("Knowledge", "/knowledge/", "documents"),
        Item("Enrichment", "/enrichment/", "link"),
        Item("Import", "/import/", "upload"),
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
    return {
        "navigation": _groups(roles, request.path) + _administration(user, request.path),
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


def _marked(page: Item, path: str) -> Item:
    return replace(page, current=path.startswith(page.path))
