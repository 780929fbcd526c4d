"""What was learned goes into the draft, and is archived once the sheet says it."""

from dataclasses import replace

import pytest

from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.authoring.learned.services import promote
from characters.domain.sheet import Fact
from characters.profiles import services as profiles
from characters.profiles.learned import services as learned
from characters.profiles.models import Character, LearnedFact
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from kgadmin.rest.actions import Refused
from tests.characters.profiles.learned.conftest import Learn

pytestmark = pytest.mark.django_db
State = LearnedFact.State


def in_use(ann: Character) -> list[str]:
    now = Character.objects.get(pk=ann.pk)
    assert now.sheet
    return [str(fact) for fact in now.learned.in_use(now.sheet)]


def drafted(ann: Character) -> list[str]:
    return [f"{fact.predicate} {fact.object}" for fact in drafts.draft_of(ann).sheet.facts]


def publish(ann: Character, by: User) -> None:
    drafts.publish_draft(ann, version=drafts.draft_of(ann).version, by=by)


def test_it_is_added_to_the_draft_and_stays_learned_until_that_is_published(
    ann: Character, learn: Learn, author: User
) -> None:
    fact = learn()
    assert [promote(fact, by=author) for _ in range(2)] == ["f4", "f4"]  # twice adds it once
    assert drafted(ann)[3:] == ["FAVORITE_CORAL staghorn"]
    assert in_use(ann) == ["FAVORITE_CORAL staghorn"]
    publish(ann, author)
    fact.refresh_from_db()
    assert (fact.state, in_use(ann)) == (State.ARCHIVED, [])
    verbs = list(Entry.objects.order_by("pk").values_list("verb", "subject", "reason"))
    assert verbs[1:] == [
        ("promoted", f"learned:{fact.pk}", ""),
        ("published", ann.graph_id, ""),
        ("archived", f"learned:{fact.pk}", "promoted"),
    ]


def test_what_an_author_writes_otherwise_before_publishing_counts_as_the_same(
    ann: Character, learn: Learn, author: User
) -> None:
    fact = learn("LOVES", "the fog")
    fact_id = promote(fact, by=author)
    value = {"id": fact_id, "predicate": "ENJOYS", "object": "Fog", "questions": []}
    drafts.save(ann, [Edit(f"fact:{fact_id}", value)], by=author)
    publish(ann, author)
    assert in_use(ann) == []


def test_what_is_taken_out_of_the_draft_again_stays_learned(ann: Character, learn: Learn, author: User) -> None:
    fact_id = promote(learn(), by=author)
    drafts.save(ann, [Edit(f"fact:{fact_id}", None)], by=author)
    publish(ann, author)
    assert in_use(ann) == ["FAVORITE_CORAL staghorn"]


def test_what_the_sheet_says_is_not_restored_until_it_says_it_no_more(
    ann: Character, learn: Learn, author: User
) -> None:
    fact, before = learn(), ann.sheet
    assert before
    coral = Fact("f9", "FAVORITE_CORAL", "Staghorn")
    profiles.publish(ann, sheet=replace(before, facts=(*before.facts, coral)), by=author)
    with pytest.raises(Refused, match="The sheet already says this: FAVORITE_CORAL Staghorn"):
        learned.change(fact, State.ACTIVE, by=author)
    profiles.publish(ann, sheet=before, by=author)
    assert in_use(ann) == []
    learned.change(fact, State.ACTIVE, by=author)
    assert in_use(ann) == ["FAVORITE_CORAL staghorn"]
