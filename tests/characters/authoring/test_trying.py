"""Trying a question on a draft: what a turn would find, and nothing is written."""

from dataclasses import replace
from typing import Any

import pytest

from characters.authoring import trying
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.domain.sheet import Fact
from characters.profiles import vectors
from characters.profiles.models import Character, Draft, Revision
from characters.turn.fact_index import FactIndex, build_index
from kgadmin.stores import wiring
from kgadmin.stores.exported import ExportedEmbedder
from tests.characters.profiles import sheets


@pytest.fixture
def ann(db: None, predicates: None, exported: ExportedEmbedder, monkeypatch: pytest.MonkeyPatch) -> Character:
    monkeypatch.setattr(wiring, "embedder", lambda: exported)
    trying._INDEXES.clear()
    return sheets.character()


def rows() -> list[object]:
    return [*Revision.objects.values(), *Draft.objects.values(), *Character.objects.values()]


def test_a_question_is_tried_on_the_draft_before_it_is_published(ann: Character) -> None:
    draft = drafts.draft_of(ann)
    sheet = replace(draft.sheet, facts=(*draft.sheet.facts, Fact("f9", "HAS_PET", "a one-eyed gull called Bosun")))
    before = rows()
    found = trying.try_question(sheet, "Do you have any pets?", character=ann)
    assert [fact.id for fact in found.used][:1] == ["f9"]
    assert found.missing_vectors == 0
    assert rows() == before
    assert ann.sheet is not None
    live = trying.try_question(ann.sheet, "Do you have any pets?", character=ann)
    assert "f9" not in [fact.id for fact in live.used]


def test_of_many_new_facts_only_some_are_embedded_at_once_and_the_rest_is_counted(ann: Character) -> None:
    assert ann.sheet is not None
    facts = tuple(Fact(f"g{i}", "LIKES", f"gull number {i}") for i in range(200))
    found = trying.try_question(replace(ann.sheet, facts=facts), "What do you like?", character=ann)
    assert found.used
    assert 0 < found.missing_vectors < 200


def test_without_an_embedder_words_alone_find_what_they_name(
    db: None, predicates: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = sheets.character()
    monkeypatch.setattr(wiring, "embedder", lambda: ExportedEmbedder("/no/such/model", []))
    assert ann.sheet is not None
    found = trying.try_question(ann.sheet, "Tell me about your father", character=ann)
    assert [fact.id for fact in found.used][:1] == ["f2"]


def test_the_vectors_of_a_draft_are_used_and_nothing_is_embedded_twice(ann: Character) -> None:
    draft = drafts.save(ann, [Edit("anchors", ["gulls"])], by=None)
    vectors.ensure_draft(Draft.objects.get(pk=draft.pk))
    assert set(vectors.read(Draft.objects.get(pk=draft.pk))) == set(vectors.wanted_texts(draft.sheet))


def test_the_index_of_a_draft_is_kept_until_a_fact_or_its_vectors_change(
    ann: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def counting(*args: Any) -> FactIndex:
        made.append(len(args[0]))
        return build_index(*args)

    monkeypatch.setattr(trying, "build_index", counting)
    draft = drafts.save(ann, [Edit("anchors", ["gulls"])], by=None)
    for question in ("Who", "Who is", "Who is your father?"):
        trying.try_question(draft.sheet, question, character=ann)
    assert made == [4]
    sheet = replace(draft.sheet, facts=(*draft.sheet.facts, Fact("f9", "HAS_PET", "a one-eyed gull called Bosun")))
    found = trying.try_question(sheet, "Do you have any pets?", character=ann)
    assert ([fact.id for fact in found.used][:1], made) == (["f9"], [4, 5])
    vectors.ensure_draft(draft)
    trying.try_question(draft.sheet, "Who is your father?", character=ann)
    assert made == [4, 5, 4]
    for number in range(2 * trying.MOST_KEPT):
        trying.try_question(replace(sheet, name=f"Ann {number}"), "Who?", character=ann)
    assert len(trying._INDEXES) == trying.MOST_KEPT
