"""Suggesting, accepting, dismissing and undoing: what becomes of the draft."""

from typing import Any

import pytest

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.authoring.models import SuggestedFact
from characters.authoring.suggestions import services
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.rest.actions import Refused
from tests.characters.authoring.suggestions.conftest import waiting

NEW = [("GREW_UP_IN", "Odense"), ("LOVES", "sea glass")]


def facts(character: Character) -> list[tuple[str, str]]:
    return [(fact.predicate, fact.object) for fact in drafts.draft_of(character).sheet.facts]


def suggestion(character: Character, predicate: str) -> SuggestedFact:
    return SuggestedFact.objects.get(character=character, predicate=predicate)


def test_what_the_draft_says_already_is_not_suggested(ann: Character) -> None:
    assert services.suggest_from_identity(ann) == 2
    assert waiting(ann) == NEW
    row = suggestion(ann, "GREW_UP_IN")
    assert (row.source, row.sentence, row.by_model) == ("identity", "You grew up in Odense.", False)


def test_accepting_adds_the_fact_to_the_draft_and_not_to_what_is_live(ann: Character, author: User) -> None:
    services.suggest_from_identity(ann)
    row = suggestion(ann, "GREW_UP_IN")
    assert services.accept(row, by=author) == "Added to the draft: GREW_UP_IN “Odense”."
    assert facts(ann)[-1] == ("GREW_UP_IN", "Odense")
    assert ann.sheet is not None
    assert len(ann.sheet.facts) == 4
    row.refresh_from_db()
    assert (row.state, row.decided_by, row.fact_id) == ("accepted", author, "f5")
    assert waiting(ann) == NEW[1:]
    with pytest.raises(Refused, match="already decided"):
        services.accept(row, by=author)
    assert len(facts(ann)) == 5


def test_accepting_what_somebody_wrote_in_between_says_so_and_adds_nothing(ann: Character, author: User) -> None:
    services.suggest_from_identity(ann)
    fact = {"id": "x1", "predicate": "GREW_UP_IN", "object": "the Odense", "questions": []}
    drafts.save(ann, [Edit("fact:x1", fact)], by=author)
    assert [row.predicate for row in services.open_suggestions(ann)] == ["LOVES"]
    row = suggestion(ann, "GREW_UP_IN")
    assert services.accept(row, by=author) == "It is already in the draft."
    assert len(facts(ann)) == 5
    services.undo(row, by=author)
    assert len(facts(ann)) == 5


def test_what_is_undone_waits_again_and_leaves_the_draft_and_what_is_dismissed_does_not_come_again(
    ann: Character, author: User
) -> None:
    services.suggest_from_identity(ann)
    accepted, dismissed = suggestion(ann, "GREW_UP_IN"), suggestion(ann, "LOVES")
    services.accept(accepted, by=author)
    services.dismiss(dismissed, by=author)
    for row in (accepted, dismissed):
        assert services.undo(row, by=author) == "It is waiting again."
    assert waiting(ann) == NEW
    assert len(facts(ann)) == 4
    with pytest.raises(Refused):
        services.undo(accepted, by=author)
    services.dismiss(dismissed, by=author)
    assert services.suggest_from_identity(ann) == 0
    assert services.suggest(ann, "Ann loves sea glass. Ann hates fog.", source="description") == 1
    assert waiting(ann) == [("HATES", "fog"), NEW[0]]


def test_a_fact_that_was_changed_since_is_not_undone(ann: Character, author: User) -> None:
    services.suggest_from_identity(ann)
    services.accept(suggestion(ann, "GREW_UP_IN"), by=author)
    row = suggestion(ann, "GREW_UP_IN")
    fact = parts.get(drafts.draft_of(ann).document, f"fact:{row.fact_id}")
    changes: tuple[dict[str, Any], ...] = ({"object": "Aarhus"}, {"object": "odense"}, {"questions": ["As a child?"]})
    for changed in changes:
        drafts.save(ann, [Edit(f"fact:{row.fact_id}", fact | changed)], by=author)
        before = drafts.draft_of(ann).document
        with pytest.raises(Refused, match="was changed after it was accepted, so it stays"):
            services.undo(row, by=author)
        row.refresh_from_db()
        assert (drafts.draft_of(ann).document, row.state) == (before, "accepted"), changed


def test_what_the_text_no_longer_says_does_not_wait_any_more(ann: Character, author: User) -> None:
    services.suggest(ann, "Ann hates eels.", source="description")
    services.suggest_from_identity(ann)
    drafts.save(ann, [Edit("identity", "You grew up in Odense.")], by=author)
    services.suggest_from_identity(ann)
    assert sorted(waiting(ann)) == [("GREW_UP_IN", "Odense"), ("HATES", "eels")]
