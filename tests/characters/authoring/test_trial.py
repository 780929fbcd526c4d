"""Trying a question on a draft: what a turn would find, and nothing is written."""

from dataclasses import replace

import pytest

from characters.authoring import trial
from characters.authoring.drafts import services as drafts
from characters.domain.sheet import Fact
from characters.profiles.models import Character, Draft, Revision
from kgadmin.stores import wiring
from kgadmin.stores.exported import ExportedEmbedder
from tests.characters.profiles import sheets


@pytest.fixture
def ann(db: None, predicates: None, exported: ExportedEmbedder, monkeypatch: pytest.MonkeyPatch) -> Character:
    monkeypatch.setattr(wiring, "embedder", lambda: exported)
    trial._INDEXES.clear()
    return sheets.character()


def rows() -> list[object]:
    return [*Revision.objects.values(), *Draft.objects.values(), *Character.objects.values()]


def test_a_question_is_tried_on_the_draft_before_it_is_published(ann: Character) -> None:
    draft = drafts.draft_of(ann)
    sheet = replace(draft.sheet, facts=(*draft.sheet.facts, Fact("f9", "HAS_PET", "a one-eyed gull called Bosun")))
    before = rows()
    evidence = trial.try_question(sheet, "Do you have any pets?", character=ann)
    assert [fact.id for fact in evidence.used][:1] == ["f9"]
    assert evidence.missing_vectors == 0
    assert rows() == before
    assert ann.sheet is not None
    live = trial.try_question(ann.sheet, "Do you have any pets?", character=ann)
    assert "f9" not in [fact.id for fact in live.used]


def test_without_an_embedder_words_alone_find_what_they_name(
    db: None, predicates: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = sheets.character()
    monkeypatch.setattr(wiring, "embedder", lambda: ExportedEmbedder("/no/such/model", []))
    assert ann.sheet is not None
    evidence = trial.try_question(ann.sheet, "Tell me about your father", character=ann)
    assert [fact.id for fact in evidence.used][:1] == ["f2"]
