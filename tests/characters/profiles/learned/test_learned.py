"""Learned facts: only what may be learned, below the core, up to the cap, suspended where the sheet says otherwise."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from characters.domain.sheet import Settings
from characters.profiles import services as profiles
from characters.profiles.learned import services as learned
from characters.profiles.models import Character, LearnedFact
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from kgadmin.projection.models import Change
from kgadmin.rest.actions import Refused
from tests.characters.profiles import sheets
from tests.characters.profiles.learned.conftest import Learn

pytestmark = pytest.mark.django_db
State = LearnedFact.State


def in_use(ann: Character) -> list[str]:
    assert ann.sheet
    return [str(fact) for fact in ann.learned.in_use(ann.sheet)]


def log() -> list[Entry]:
    """What was recorded, but for publishing."""
    return list(Entry.objects.exclude(verb="published").order_by("pk"))


def test_only_tastes_and_opinions_that_the_sheet_does_not_contradict_are_learned_and_no_more_than_it_allows(
    ann: Character, learn: Learn
) -> None:
    for predicate in ("HAS_FATHER", "NOTE", "NEVER_HEARD_OF"):
        with pytest.raises(Refused, match=f"{predicate} can't be learned: only tastes and opinions can"):
            learn(predicate)
    for predicate, object in (("FAVORITE_COLOR", "red"), ("DISLIKES", "rain")):
        with pytest.raises(Refused, match="The sheet contradicts this"):
            learn(predicate, object)
    assert in_use(ann) == [] and ann.sheet
    profiles.publish(ann, sheet=replace(ann.sheet, settings=Settings(most_learned=1)), by=None)
    learn()
    with pytest.raises(Refused, match="1 learned facts in use, which is the most allowed"):
        learn("LOVES", "fog")


def test_a_fact_is_archived_restored_and_taken_back_and_the_log_says_so(
    ann: Character, learn: Learn, operator: User
) -> None:
    Change.objects.all().delete()
    fact = learn()
    assert (fact.fact.id, fact.fact.predicate) == (f"learned:{fact.pk}", "FAVORITE_CORAL")
    assert ann.waits_for_graph
    learned.change(fact, State.ARCHIVED, by=operator, reason="stale")
    assert in_use(ann) == []
    learned.change(fact, State.ACTIVE, by=operator)
    assert in_use(ann) == ["FAVORITE_CORAL staghorn"]
    with pytest.raises(Refused, match="has learned that already"):
        learn()
    learned.change(fact, State.TAKEN_BACK, by=operator)
    assert in_use(ann) == []
    for state in (State.ACTIVE, State.ARCHIVED):
        with pytest.raises(Refused, match="Approve its proposal again"):
            learned.change(fact, state, by=operator)
    assert [(each.verb, each.actor) for each in log()] == [
        ("archived", "operator"),
        ("restored", "operator"),
        ("took back", "operator"),
    ]


def test_a_fact_is_suspended_while_a_core_fact_says_otherwise(ann: Character, learn: Learn, author: User) -> None:
    fact = learn()
    before = ann.sheet
    assert before
    corals = sheets.sheet(("FAVORITE_CORAL", "brain coral"))
    profiles.publish(ann, sheet=corals, by=author)
    fact.refresh_from_db()
    assert (fact.state, fact.suspended_by) == (State.SUSPENDED, corals.facts[0].id)
    assert in_use(ann) == []
    with pytest.raises(Refused, match="The sheet contradicts this: FAVORITE_CORAL brain coral"):
        learned.change(fact, State.ACTIVE, by=author)
    profiles.publish(ann, sheet=before, by=author)
    fact.refresh_from_db()
    assert (fact.state, fact.suspended_by) == (State.ACTIVE, "")
    assert [each.verb for each in log()] == ["suspended", "resumed"]


def test_old_facts_that_are_hardly_used_are_archived(ann: Character, learn: Learn) -> None:
    now = timezone.now()
    old = now - timedelta(days=31)
    unused, used, pinned, new = (
        learn(at=old),
        learn("LOVES", "fog", at=old),
        learn("ADMIRES", "gulls", at=old),
        learn("ENJOYS", "chess"),
    )
    for _ in range(3):
        learned.count_uses([used.fact.id], now)
    learned.pin(pinned, pinned=True, by=User.objects.create_user("somebody"))
    assert learned.decay(now) == 1
    assert in_use(ann) == [str(each) for each in (used, pinned, new)]
    entry = Entry.objects.get(verb="archived")
    assert (entry.subject, entry.actor, entry.reason) == (f"learned:{unused.pk}", "", "decay")
    assert learned.decay(now) == 0
    learned.change(unused, State.ACTIVE, by=None)
    assert learned.decay(now + timedelta(days=1)) == 0  # what came back stays as long as what is new
    assert learned.decay(now + timedelta(days=31)) == 2
