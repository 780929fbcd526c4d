"""Who may edit or read a character, through the API."""

import pytest
from django.test import Client

from characters.profiles import services
from characters.profiles.access import character_for
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.profiles.sheets import sheet
from tests.rest import call, get


@pytest.fixture
def bea(author: User) -> User:
    """Another author."""
    user = User.objects.create_user("bea")
    user.groups.set(author.groups.all())
    return user


@pytest.fixture
def ann(author: User) -> Character:
    return services.create_character(slug="ann", sheet=sheet(), by=author)


def test_the_owner_lets_others_in_and_out(author_client: Client, ann: Character, bea: User, tester: User) -> None:
    let_in = call(author_client, "PUT", "/characters/ann/members/bea", {"role": "editor"})
    assert (let_in.status, let_in.body) == (200, {"username": "bea", "role": "editor"})
    assert character_for(bea, "ann", to_edit=True) == ann
    assert call(author_client, "PUT", "/characters/ann/members/bea", {"role": "viewer"}).body["role"] == "viewer"
    shown = get(author_client, "/characters/ann/sharing")
    assert shown == {
        "owner": "author",
        "members": [{"username": "bea", "role": "viewer"}],
        "may_edit": True,
        "may_share": True,
        "accounts": ["tester"],
        "authors": [],
    }
    assert call(author_client, "DELETE", "/characters/ann/members/bea").status == 204
    assert call(author_client, "DELETE", "/characters/ann/members/bea").status == 404
    assert get(author_client, "/characters/ann/sharing")["authors"] == ["bea"]


def test_a_character_is_handed_over(author_client: Client, ann: Character, author: User, bea: User) -> None:
    handed = call(author_client, "PUT", "/characters/ann/owner", {"username": "bea"})
    assert (handed.body["owner"], handed.body["members"]) == ("bea", [{"username": "author", "role": "editor"}])
    assert (handed.body["may_edit"], handed.body["may_share"]) == (True, False)
    assert call(author_client, "PUT", "/characters/ann/owner", {"username": "author"}).status == 403


def test_what_does_not_fit_changes_nothing(author_client: Client, ann: Character, bea: User, tester: User) -> None:
    cases: list[tuple[str, object, str]] = [
        ("members/nobody", {"role": "viewer"}, "no such account"),
        ("members/author", {"role": "viewer"}, "owns Ann"),
        ("owner", {"username": "tester"}, "Only an author"),
    ]
    for path, body, sentence in cases:
        answer = call(author_client, "PUT", f"/characters/ann/{path}", body)
        assert (answer.status, sentence in answer.detail) == (422, True), (path, body, answer.detail)
    shown = get(author_client, "/characters/ann/sharing")
    assert (shown["owner"], shown["members"]) == ("author", [])
