"""Who may know of a character, edit it, and say who else may."""

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import Client

from characters.profiles import access, services
from characters.profiles.access import character_for, characters_for, editable_for, talkable_for
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.profiles.sheets import sheet
from tests.rest import call, get


@pytest.fixture
def other(db: None, author: User) -> User:
    """Another author."""
    user = User.objects.create_user("bea")
    user.groups.set(author.groups.all())
    return user


@pytest.fixture
def ann(db: None, author: User) -> Character:
    return services.create_character(slug="ann", sheet=sheet(), by=author)


def test_an_author_knows_of_their_own_and_of_what_they_were_shown(ann: Character, author: User, other: User) -> None:
    assert list(characters_for(author)) == list(editable_for(author)) == [ann]
    assert not characters_for(other).exists()
    with pytest.raises(Http404):
        character_for(other, "ann")
    access.share(character=ann, user=other, may_edit=False, by=None)
    assert character_for(other, "ann") == ann
    with pytest.raises(PermissionDenied, match="Ask author to make you an editor"):
        character_for(other, "ann", to_edit=True)
    access.share(character=ann, user=other, may_edit=True, by=None)
    assert character_for(other, "ann", to_edit=True) == ann
    with pytest.raises(PermissionDenied, match="Only the owner"):
        character_for(other, "ann", to_share=True)
    access.unshare(character=ann, username="bea", by=None)
    assert not characters_for(other).exists()


def test_operators_and_testers_see_what_is_published_and_testers_talk_to_it(
    ann: Character, author: User, operator: User, tester: User, admin: User
) -> None:
    Character.objects.create(slug="unpublished", name="Nobody yet")
    for user in (operator, tester):
        assert list(characters_for(user)) == [ann]
        assert not editable_for(user).exists()
        with pytest.raises(PermissionDenied):
            character_for(user, "ann", to_edit=True)
    assert [list(talkable_for(user)) for user in (tester, admin, author, operator)] == [[ann], [ann], [], []]


def test_what_nobody_owns_authors_read_and_administrators_change(ann: Character, other: User, admin: User) -> None:
    Character.objects.update(owner=None)
    assert character_for(other, "ann") == ann
    assert not access.may_edit(other, ann)
    assert character_for(admin, "ann", to_share=True) == ann
    other.groups.clear()
    assert not characters_for(User.objects.get(pk=other.pk)).exists()


def test_the_owner_says_on_the_page_who_may_edit(
    ann: Character, author_client: Client, other: User, tester_client: Client
) -> None:
    author_client.post("/characters/ann/share/", {"user": "bea", "role": "editor"})
    assert access.may_edit(other, ann)
    page = author_client.get("/characters/ann/").content.decode()
    assert "Remove bea" in page
    author_client.post("/characters/ann/share/", {"user": "bea", "role": "none"})
    assert not access.may_edit(other, ann)
    assert "Remove bea" not in tester_client.get("/characters/ann/").content.decode()


def test_the_owner_lets_others_in_and_out(author_client: Client, ann: Character, other: User, tester: User) -> None:
    let_in = call(author_client, "PUT", "/characters/ann/members/bea", {"role": "editor"})
    assert (let_in.status, let_in.body) == (200, {"username": "bea", "role": "editor"})
    assert character_for(other, "ann", to_edit=True) == ann
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


def test_a_character_is_handed_over(author_client: Client, ann: Character, author: User, other: User) -> None:
    handed = call(author_client, "PUT", "/characters/ann/owner", {"username": "bea"})
    assert (handed.body["owner"], handed.body["members"]) == ("bea", [{"username": "author", "role": "editor"}])
    assert (handed.body["may_edit"], handed.body["may_share"]) == (True, False)
    assert call(author_client, "PUT", "/characters/ann/owner", {"username": "author"}).status == 403


def test_what_does_not_fit_changes_nothing(author_client: Client, ann: Character, other: User, tester: User) -> None:
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
