"""The settings of a knowledge base: what an operator sets, and which characters may use it."""

from dataclasses import asdict
from typing import Any

import pytest
from django.test import Client

from characters.domain.sheet import Persona
from characters.profiles import bases
from characters.profiles.bases import bases_in_scope
from characters.profiles.documents import dump
from characters.profiles.models import Card, Character, CharacterBase, Draft
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import KnowledgeBase
from tests.characters.profiles import sheets
from tests.pages import text_of
from tests.rest import call, get

PATH = "/knowledge/reef/settings/"


@pytest.fixture
def reef(db: None) -> KnowledgeBase:
    return knowledge.register(name="Reef", by=None)


@pytest.fixture
def ann(db: None) -> Character:
    return sheets.character("ann")


def form(**changes: Any) -> dict[str, Any]:
    """What the page sends."""
    fields = {"name": "Reef", "provenance": "curated", "language": "en", "chunk_tokens": "200", "overlap_tokens": "30"}
    return fields | {"scope": "all"} | changes


def uses(character: Character) -> list[str]:
    return [base.slug for base in bases_in_scope(character)]


def test_what_is_saved_is_shown_and_the_slug_stays(operator_client: Client, reef: KnowledgeBase) -> None:
    knowledge.change(reef, description="Surveys", by=None)
    changes = {"name": "Korallen", "description": "", "provenance": "verified", "language": "de"}
    sizes = {"chunk_tokens": "120", "overlap_tokens": "0"}
    answer = operator_client.post(PATH, form(**changes, **sizes))
    assert answer.headers["Location"] == "/knowledge/reef/"
    reef.refresh_from_db()
    assert {name: getattr(reef, name) for name in changes} == changes
    assert (reef.chunk_tokens, reef.overlap_tokens) == (120, 0)
    page = text_of(operator_client, "/knowledge/reef/")
    assert "The settings of Korallen are saved." in page
    assert "These documents are in German." in page
    assert 'value="120"' in text_of(operator_client, PATH)


def test_other_sizes_of_chunks_offer_to_cut_again_what_was_read(operator_client: Client, reef: KnowledgeBase) -> None:
    knowledge.add_document(base=reef, name="a.md", content=b"# A", by=None)
    for size, is_offered in (("120", True), ("120", False)):
        operator_client.post(PATH, form(chunk_tokens=size))
        assert ("choose Re-ingest" in text_of(operator_client, "/knowledge/reef/")) == is_offered


def test_what_does_not_fit_is_refused_with_what_was_typed(
    operator_client: Client, reef: KnowledgeBase, ann: Character
) -> None:
    for wrong, sentence in (
        ({"name": " "}, "Fill in: Name."),
        ({"chunk_tokens": "59"}, "Chunk size is 60 or more."),
        ({"overlap_tokens": "81"}, "Overlap is 80 or less."),
        ({"chunk_tokens": "60", "overlap_tokens": "30"}, "by at most 29."),
        ({"scope": "some"}, "Choose a character, or all."),
        ({"scope": "some", "characters": ["ann", "bo"]}, "There is no character “bo”."),
    ):
        answer = operator_client.post(PATH, form(description="Typed", **wrong))
        page = answer.content.decode()
        assert (answer.status_code, sentence in page, 'value="Typed"' in page) == (422, True, True), wrong
    reef.refresh_from_db()
    assert (reef.description, reef.chunk_tokens, reef.for_everyone) == ("", 200, True), "nothing of it was saved"


def test_some_characters_use_it_and_then_all(operator_client: Client, reef: KnowledgeBase, ann: Character) -> None:
    other = sheets.character("other")
    operator_client.post(PATH, form(scope="some", characters=["ann"]))
    assert (uses(ann), uses(other)) == (["reef"], [])
    (act,) = Entry.objects.filter(verb="changed")
    assert (act.detail.before, act.detail.after) == ({"characters": "all"}, {"characters": "Ann Holm"})
    operator_client.post(PATH, form(scope="all", characters=["ann"]))
    assert (uses(ann), uses(other)) == (["reef"], ["reef"])


def test_a_character_that_the_operator_does_not_see_keeps_the_base(
    operator_client: Client, reef: KnowledgeBase, ann: Character
) -> None:
    hidden = Character.objects.create(slug="hidden", name="Hidden")
    reef.change(for_everyone=False)
    CharacterBase.objects.create(character=hidden, base=reef)
    assert "Hidden" not in text_of(operator_client, PATH)
    operator_client.post(PATH, form(scope="some", characters=["ann"]))
    assert {row.character for row in CharacterBase.objects.all()} == {ann, hidden}


def test_the_base_of_a_lorebook_stays_with_its_character(
    operator_client: Client, operator: User, reef: KnowledgeBase, ann: Character
) -> None:
    Card.objects.create(kind="lorebook", name="b.json", content=b"{}", character=ann, base=reef)
    reef.change(for_everyone=False)
    CharacterBase.objects.create(character=ann, base=reef)
    page = text_of(operator_client, PATH)
    assert ("It belongs to Ann Holm," in page, 'name="scope"' in page) == (True, False)
    renamed = form(name="Fog")
    del renamed["scope"]
    assert operator_client.post(PATH, renamed).status_code == 302
    refused = call(operator_client, "PUT", "/knowledge-bases/reef/characters", {"for_everyone": True})
    assert (refused.status, "imported lorebook" in refused.detail) == (422, True)
    assert get(operator_client, "/knowledge-bases/reef/characters") == {"for_everyone": False, "characters": ["ann"]}


def test_programs_set_the_same(operator_client: Client, reef: KnowledgeBase, ann: Character) -> None:
    body = {"name": "Korallen", "description": "", "language": "de", "chunk_tokens": 60, "overlap_tokens": 20}
    changed = call(operator_client, "PATCH", "/knowledge-bases/reef", body)
    assert {name: changed.body[name] for name in body} == body
    refused = call(operator_client, "PATCH", "/knowledge-bases/reef", {"overlap_tokens": 30})
    assert (refused.status, "by at most 29" in refused.detail) == (422, True)
    put = call(operator_client, "PUT", "/knowledge-bases/reef/characters", {"characters": ["ann"]})
    assert put.body == {"for_everyone": False, "characters": ["ann"]}


def test_deleting_says_whose_personas_name_it_live_or_in_the_draft(
    operator_client: Client, reef: KnowledgeBase
) -> None:
    by_day = (Persona("day", "By day", "Be brief.", ("reef",)),)
    sheets.character("live", name="Live Lind", personas=by_day)
    drafted = sheets.character("drafted", name="Bo Draft")
    assert drafted.sheet
    document = dump(drafted.sheet) | {"personas": [asdict(by_day[0])]}
    Draft.objects.update_or_create(character=drafted, defaults={"document": document})
    sheets.character("neither", name="Ann Holm")
    assert bases.naming(reef) == ["Bo Draft", "Live Lind"]
    assert "Personas of Bo Draft, Live Lind are used for it." in text_of(operator_client, PATH)


def test_a_sheet_names_bases_by_their_titles(operator_client: Client, reef: KnowledgeBase) -> None:
    knowledge.change(reef, name="Coral notes", by=None)
    sheets.character("ann", personas=(Persona("day", "By day", "Be brief.", ("reef", "gone")),))
    assert "Used for Coral notes, gone." in text_of(operator_client, "/characters/ann/")
