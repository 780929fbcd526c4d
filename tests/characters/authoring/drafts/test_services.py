"""Drafts: saved part by part, live only when they are published."""

from time import perf_counter
from typing import Any

import pytest

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import ConflictError, Edit
from characters.profiles import documents
from characters.profiles import services as profiles
from characters.profiles.documents import SheetError
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.profiles import sheets

pytestmark = pytest.mark.django_db
DOCUMENT = documents.dump(sheets.whole_sheet())


@pytest.fixture
def ann() -> Character:
    return sheets.character("ann")


def test_a_text_that_is_too_much_is_refused_before_it_costs_anything(ann: Character, author: User) -> None:
    before = drafts.draft_of(ann).document
    for text, message in (
        ("a: " + "x" * 1_000_000, "1,000,003 characters; at most 1,000,000"),
        ("a: [" + "{}," * 300_000 + "]", "too large for a sheet"),
        ("facts:\n" + "- I sail.\n" * 5_001, "facts: there are 5,001; at most 5,000"),
    ):
        start = perf_counter()
        with pytest.raises(SheetError, match=message):
            drafts.save_yaml(ann, text, by=author)
        assert perf_counter() - start < 30  # it took minutes
    assert drafts.draft_of(ann).document == before


def test_what_became_live_meanwhile_is_not_published_over(ann: Character, author: User) -> None:
    draft = drafts.save(ann, [Edit("name", "Anna")], by=author)
    profiles.publish(ann, sheet=sheets.sheet(name="Ann"), by=None)
    with pytest.raises(ConflictError):
        drafts.publish_draft(ann, version=draft.version, by=author, live=1)
    assert drafts.publish_draft(ann, version=draft.version, by=author, live=2).number == 3


def test_what_is_saved_reaches_no_turn_before_it_is_published(ann: Character, author: User) -> None:
    draft_before = drafts.draft_of(ann)
    value = parts.get(draft_before.document, "fact:f3")
    assert (draft_before.based_on, draft_before.is_published) == (ann.live_revision, True)
    draft = drafts.save(ann, [Edit("fact:f3", value | {"object": "fog"})], by=author)
    ann.refresh_from_db()
    assert ann.sheet and "fog" not in str(ann.sheet)
    assert (draft.version, draft.updated_by, draft.is_published) == (2, author, False)
    revision = drafts.publish_draft(ann, version=draft.version, by=author)
    published = drafts.draft_of(ann)
    assert (published.based_on, published.is_published, published.sheet) == (revision, True, draft.sheet)


def test_what_is_no_part_of_a_sheet_is_refused_and_nothing_is_lost(ann: Character, author: User) -> None:
    before = drafts.draft_of(ann).document
    values: tuple[Any, ...] = ({"id": "f3"}, {"id": "f3", "predicate": 3, "object": "x"}, "fog")
    for value in values:
        with pytest.raises(SheetError):
            drafts.save(ann, [Edit("fact:f3", value)], by=author)
    assert drafts.draft_of(ann).document == before


def test_a_part_that_is_put_back_changes_nothing() -> None:
    for part in (*parts.SINGLE, "fact:f2", "persona:night", "concept:career", "lore:l2"):
        assert parts.put(DOCUMENT, part, parts.get(DOCUMENT, part)) == DOCUMENT, part


def test_an_order_keeps_what_it_does_not_name() -> None:
    for ids, expected in (
        (["f4", "f3", "f2", "f1"], ["f4", "f3", "f2", "f1"]),
        (["f3", "f1", "f2"], ["f3", "f4", "f1", "f2"]),  # f4, unnamed, stays behind f3
        (["f2", "gone"], ["f1", "f2", "f3", "f4"]),
    ):
        assert [fact["id"] for fact in parts.put(DOCUMENT, parts.ORDER, ids)["facts"]] == expected, ids
