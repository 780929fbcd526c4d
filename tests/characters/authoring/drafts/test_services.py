"""Drafts: saved part by part, at odds with nobody silently, live only when they are published."""

from itertools import product
from time import perf_counter
from typing import Any

import pytest

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import ConflictError, Edit
from characters.profiles import services as profiles
from characters.profiles.documents import SheetError
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.profiles import sheets

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Character:
    return sheets.character("ann")


def fact(character: Character, fact_id: str = "f3") -> tuple[Any, str]:
    """A fact of her draft, and the digest that its author saw."""
    value = parts.get(drafts.draft_of(character).document, f"fact:{fact_id}")
    return value, parts.digest(value)


def test_a_text_that_can_not_be_read_is_for_the_version_that_it_was_written_for(ann: Character, author: User) -> None:
    with pytest.raises(SheetError):
        drafts.save_yaml(ann, "facts: [", version=1, by=author)
    drafts.save(ann, [Edit("name", "Anna")], by=author)
    draft = drafts.draft_of(ann)
    assert (drafts.shown_yaml(draft), drafts.yaml_version(draft)) == ("facts: [", 1)
    with pytest.raises(ConflictError):
        drafts.save_yaml(ann, "facts: []", version=drafts.yaml_version(draft), by=author)
    assert drafts.draft_of(ann).sheet.name == "Anna"


def test_a_text_that_is_too_much_is_refused_before_it_costs_anything(ann: Character, author: User) -> None:
    before = drafts.draft_of(ann).document
    for text, said in (
        ("a: " + "x" * 1_000_000, "1,000,003 characters; at most 1,000,000"),
        ("a: [" + "{}," * 300_000 + "]", "more than a sheet may hold"),
        ("facts:\n" + "- I sail.\n" * 5_001, "facts: there are 5,001; at most 5,000"),
    ):
        began = perf_counter()
        with pytest.raises(SheetError, match=said):
            drafts.save_yaml(ann, text, version=1, by=author, seen=drafts.yaml_seen(drafts.draft_of(ann)))
        assert perf_counter() - began < 30  # it took minutes
    many = [{"id": f"f{number}", "predicate": "NOTE", "object": f"{number}"} for number in range(5_001)]
    with pytest.raises(SheetError, match="at most 5,000"):
        drafts.replace(ann, before | {"facts": many}, version=1, by=author)
    assert drafts.draft_of(ann).document == before


def test_a_text_of_somebody_else_that_waits_is_not_thrown_away(ann: Character, author: User, operator: User) -> None:
    drafts.save(ann, [Edit("name", "Anna")], by=author)
    with pytest.raises(SheetError):
        drafts.save_yaml(ann, "facts: [", version=2, by=author)
    for version, text in product((1, 2), ("facts: []", "facts: ]")):
        with pytest.raises(ConflictError, match="author typed another text meanwhile") as conflict:
            drafts.save_yaml(ann, text, version=version, by=operator)
        assert conflict.value.theirs == "facts: [", (version, text)
    with pytest.raises(ConflictError):
        drafts.drop_yaml(ann, by=operator)
    assert drafts.draft_of(ann).yaml_typed == "facts: ["


def test_what_became_live_meanwhile_is_not_published_over(ann: Character, author: User) -> None:
    draft = drafts.save(ann, [Edit("name", "Anna")], by=author)
    profiles.publish(ann, sheet=sheets.sheet(name="Ann"), by=None)
    with pytest.raises(ConflictError):
        drafts.publish_draft(ann, version=draft.version, by=author, live=1)
    assert drafts.publish_draft(ann, version=draft.version, by=author, live=2).number == 3


def test_no_new_fact_has_the_id_of_one_that_is_live(ann: Character, author: User) -> None:
    drafts.save(ann, [Edit("fact:f4", None)], by=author)
    assert drafts.next_fact_id(drafts.draft_of(ann)) == "f5"


def test_what_is_saved_reaches_no_turn_before_it_is_published(ann: Character, author: User) -> None:
    begun, (value, seen) = drafts.draft_of(ann), fact(ann)
    assert (begun.sheet, begun.based_on, begun.is_published) == (ann.sheet, ann.live_revision, True)
    draft = drafts.save(ann, [Edit("fact:f3", value | {"object": "fog"}, seen)], by=author)
    ann.refresh_from_db()
    assert ann.sheet is not None
    assert "fog" not in str(ann.sheet)
    assert (draft.version, draft.updated_by) == (2, author)
    assert not drafts.draft_of(ann).is_published
    revision = drafts.publish_draft(ann, version=draft.version, by=author, note="Fog")
    ann.refresh_from_db()
    assert ann.sheet == drafts.draft_of(ann).sheet
    assert (revision.number, revision.created_by, revision.note) == (2, author, "Fog")
    assert drafts.draft_of(ann).based_on == revision
    assert drafts.draft_of(ann).is_published


def test_who_saves_over_another_author_is_told_and_nothing_is_saved(
    ann: Character, author: User, operator: User
) -> None:
    value, seen = fact(ann)
    drafts.save(ann, [Edit("fact:f3", value | {"object": "fog"}, seen)], by=author)
    edits = [Edit("identity", "You are new."), Edit("fact:f3", value | {"object": "snow"}, seen)]
    with pytest.raises(ConflictError, match="changed meanwhile; author saved last") as conflict:
        drafts.save(ann, edits, by=operator)
    assert conflict.value.theirs["object"] == "fog"
    draft = drafts.draft_of(ann)
    assert draft.sheet.identity != "You are new."
    assert parts.get(draft.document, "fact:f3")["object"] == "fog"
    drafts.save(ann, [Edit("fact:f3", value | {"object": "snow"})], by=operator)  # on purpose
    assert parts.get(drafts.draft_of(ann).document, "fact:f3")["object"] == "snow"


def test_a_fact_that_another_author_deleted_is_a_conflict(ann: Character, author: User, operator: User) -> None:
    value, seen = fact(ann)
    drafts.save(ann, [Edit("fact:f3", None, seen)], by=author)
    with pytest.raises(ConflictError) as conflict:
        drafts.save(ann, [Edit("fact:f3", value | {"object": "snow"}, seen)], by=operator)
    assert conflict.value.theirs is None


def test_what_is_no_part_of_a_sheet_is_refused_and_nothing_is_lost(ann: Character, author: User) -> None:
    before = drafts.draft_of(ann).document
    values: tuple[Any, ...] = ({"id": "f3"}, {"id": "f3", "predicate": 3, "object": "x"}, "fog")
    for value in values:
        with pytest.raises(SheetError):
            drafts.save(ann, [Edit("fact:f3", value)], by=author)
    assert drafts.draft_of(ann).document == before


def test_an_unfinished_draft_is_kept_and_not_published(ann: Character, author: User) -> None:
    draft = drafts.save(ann, [Edit("identity", "")], by=author)
    with pytest.raises(SheetError, match="identity: it is empty"):
        drafts.publish_draft(ann, version=draft.version, by=author)
    assert drafts.draft_of(ann).sheet.identity == ""
    assert ann.revisions.count() == 1


def test_a_draft_can_be_let_go(ann: Character, author: User) -> None:
    drafts.save(ann, [Edit("identity", "You are one.")], by=author)
    published = profiles.publish(ann, sheet=sheets.sheet(("LIKES", "dawn")), by=None)
    ann.refresh_from_db()
    draft = drafts.discard(ann, by=author)
    assert draft.sheet == published.sheet
    assert draft.based_on == published
