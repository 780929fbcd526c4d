"""The list of characters; making, copying and archiving one."""

import json

import pytest
from django.test import Client

from characters.authoring.drafts import services as drafts
from characters.cards import exports, imports
from characters.profiles import access
from characters.profiles import services as profiles
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.cards.examples import V3, WORLD, as_charx, as_json, card_in

pytestmark = pytest.mark.django_db


def page(client: Client, path: str = "/characters/") -> str:
    return " ".join(client.get(path).content.decode().split())


def test_a_blank_character_is_written_and_published_in_the_browser(author_client: Client, tester: User) -> None:
    answer = author_client.post("/characters/new/", {"name": " Bo  Lind ", "template": "blank"})
    assert answer["Location"] == "/characters/bo-lind/edit/"
    bo = Character.objects.get(slug="bo-lind")
    assert not access.talkable_for(tester).exists()
    assert author_client.get("/characters/bo-lind/")["Location"] == "/characters/bo-lind/edit/"
    author_client.post("/characters/bo-lind/edit/save/", {"identity/value": "You are {{char}}."})
    author_client.post("/characters/bo-lind/publish/", {"version": drafts.draft_of(bo).version})
    bo.refresh_from_db()
    assert bo.sheet and (bo.sheet.name, bo.sheet.identity) == ("Bo Lind", "You are {{char}}.")
    assert access.talkable_for(tester).get() == bo


def test_a_name_that_exists_gets_another_address(ann: Character, author_client: Client) -> None:
    for name, slug in (("Ann", "ann-2"), ("New", "new-2"), ("文字", "character"), ("Import", "import-2")):
        made = author_client.post("/characters/new/", {"name": name})["Location"]
        assert made == f"/characters/{slug}/edit/", name


def test_nobody_talks_to_an_archived_character_and_nothing_is_lost(
    ann: Character, author_client: Client, tester: User
) -> None:
    author_client.post("/characters/ann/archive/")
    assert not access.talkable_for(tester).exists()
    assert "Ann Holm" not in page(author_client).split("toasts")[0]
    assert "1 archived" in page(author_client)
    assert "Ann Holm" in page(author_client, "/characters/?archived")
    author_client.post("/characters/ann/restore/")
    assert access.talkable_for(tester).get() == ann
    assert "Ann Holm" in page(author_client)


def test_who_may_only_read_copies_no_draft(author_client: Client, other_author: User, other_client: Client) -> None:
    author_client.post("/characters/new/", {"name": "Bo"})
    bo = Character.objects.get(slug="bo")
    access.share(character=bo, user=other_author, may_edit=False, by=None)
    other_client.post("/characters/bo/clone/")
    assert Character.objects.filter(owner=other_author).count() == 0
    assert other_client.get("/characters/bo/exports/").status_code == 404
    assert other_client.get("/characters/bo/exports/folder").status_code == 404


@pytest.mark.engine
def test_characters_are_searched_by_name_and_address(ann: Character, author_client: Client) -> None:
    author_client.post("/characters/new/", {"name": "Bo Lind"})
    assert "Bo Lind" not in page(author_client, "/characters/?q=holm+ann")
    assert "Ann Holm" in page(author_client, "/characters/?q=holm+ann")
    assert "Bo Lind" in page(author_client, "/characters/?q=bo-lind")
    assert "No character is called “zed”" in page(author_client, "/characters/?q=zed")


@pytest.mark.parametrize("is_live", [True, False])
def test_a_copy_exports_all_that_the_files_held(author: User, is_live: bool) -> None:
    row = imports.upload(name="ann.charx", content=as_charx(V3), by=author)
    ann = imports.take(row, by=author)
    books = [imports.upload(name="isles.json", content=as_json(WORLD), by=author) for _ in range(2)]
    imports.take(books[0], by=author, character=ann)
    if is_live:
        profiles.publish(ann, sheet=drafts.draft_of(ann).sheet, by=author)
    imports.take(books[1], by=author, character=ann)  # in the draft only
    copy = profiles.clone(ann, by=author, may_see_draft=not is_live)
    assert (copy.name, copy.owner, copy.live_revision) == ("Ann Holm (copy)", author, None)
    made = card_in(exports.file_of(copy, "card.charx").content)
    entries = made.data.pop("character_book")["entries"]
    assert entries[:3] == V3["data"]["character_book"]["entries"]
    renamed = {"name": "Ann Holm (copy)"}
    assert made.data == {key: each for key, each in V3["data"].items() if key != "character_book"} | renamed
    original = exports.original_of(copy)
    assert original and bytes(original.content) == as_charx(V3)
    exported = [card for card, _ in exports.lorebooks_of(copy, may_edit=True)]
    assert len(exported) == (1 if is_live else 2)
    assert all(json.loads(exports.lorebook_of(copy, card).content) == WORLD for card in exported)
    assert not any(entry.id.startswith(books[0].lore_prefix) for entry in drafts.draft_of(copy).sheet.lore)
    profiles.publish(copy, sheet=drafts.draft_of(copy).sheet, by=author)
    scopes = (set(each.bases.values_list("base", flat=True)) for each in (ann, copy))
    assert set.isdisjoint(*scopes)
    assert copy.bases.count() == 1 + len(exported)
