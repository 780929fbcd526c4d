from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.profiles import access, services
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.profiles import sheets

Post = Callable[..., Any]


@pytest.fixture
def ann(author: User) -> Character:
    """A character of the author with something in every part of her sheet."""
    return services.create_character(slug="ann", sheet=sheets.whole_sheet(), by=author)


@pytest.fixture
def other_author(outsider: User, ann: Character) -> User:
    """Another author who may edit her."""
    outsider.groups.set([Group.objects.get(name="author")])
    access.share(character=ann, user=outsider, may_edit=True, by=None)
    return outsider


@pytest.fixture
def other_client(other_author: User, outsider_client: Client) -> Client:
    return outsider_client


@pytest.fixture
def post(author_client: Client) -> Post:
    """`post("edit/save/", {...}, by_itself=True)`: below Ann's address."""

    def send(path: str, fields: dict[str, Any] | None = None, *, by_itself: bool = False) -> Any:
        headers = {"X-Autosave": "yes"} if by_itself else {}
        return author_client.post(f"/characters/ann/{path}", fields or {}, headers=headers)

    return send


def fact_of(character: Character, fact_id: str) -> Any:
    return parts.get(drafts.draft_of(character).document, f"fact:{fact_id}")
