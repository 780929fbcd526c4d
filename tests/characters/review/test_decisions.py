"""What operators decide: done once, told to whoever comes second, undone one by one or as a batch, and in the log."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from characters.profiles.learned.models import LearnedFact
from characters.profiles.models import Character
from characters.review import decisions, queue
from characters.review.decisions import DecidedError, ProposalVersion
from characters.review.models import Proposal
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from kgadmin.rest.actions import Refused
from tests.characters.profiles import sheets

pytestmark = [pytest.mark.django_db, pytest.mark.engine]
State = Proposal.State
Propose = Callable[..., Proposal]


@pytest.fixture
def ann(db: None) -> Character:
    return sheets.character("ann", ("HAS_FATHER", "Built boats"), ("FAVORITE_COLOR", "Grey"))


@pytest.fixture
def other(db: None) -> User:
    return User.objects.create_user("other")


@pytest.fixture
def propose(ann: Character) -> Propose:
    def make(predicate: str = "FAVORITE_CORAL", object: str = "staghorn") -> Proposal:
        key = f"{predicate} {object}"
        return Proposal.objects.create(character=ann, predicate=predicate, object=object, meaning=key, confidence=0.95)

    return make


def seen(row: Proposal) -> ProposalVersion:
    return ProposalVersion(row.pk, Proposal.objects.get(pk=row.pk).version)


def learned(ann: Character) -> list[str]:
    ann.refresh_from_db()
    assert ann.sheet
    return [str(fact) for fact in ann.learned.in_use(ann.sheet)]


def state(row: Proposal) -> str:
    return str(Proposal.objects.get(pk=row.pk).state)


def verbs() -> list[str]:
    return list(Entry.objects.exclude(verb="published").order_by("pk").values_list("verb", flat=True))


def test_what_is_approved_is_learned(ann: Character, propose: Propose, operator: User) -> None:
    row = propose()
    decisions.approve(seen(row), by=operator)
    assert (state(row), learned(ann)) == (State.APPROVED, ["FAVORITE_CORAL staghorn"])
    entry = Entry.objects.exclude(verb="published").get()
    assert (str(entry), entry.character) == (f"operator approved {row.subject}", ann.graph_id)
    assert entry.detail.before["state"] == "open"


def test_a_correction_retires_what_it_corrects_in_the_same_step_and_its_undoing_brings_it_back(
    ann: Character, propose: Propose, operator: User, operator_client: Client
) -> None:
    decisions.approve(seen(propose()), by=operator)
    decisions.approve(seen(propose("LOVES", "fog")), by=operator)
    row = propose("FAVORITE_CORAL", "elkhorn")
    page = f"/review/{row.pk}/"
    text = " ".join(operator_client.get(page).content.decode().split())
    assert "Approving this replaces: “My favorite coral: staghorn.”" in text
    decision = decisions.approve(seen(row), by=operator)
    assert learned(ann) == ["LOVES fog", "FAVORITE_CORAL elkhorn"]
    assert Entry.objects.filter(verb="archived", reason="corrected", actor=operator.username).count() == 1
    shown = " ".join(operator_client.get(f"{page}?shown=approved").content.decode().split())
    assert "in place of “My favorite coral: staghorn" in shown
    decisions.undo(decision, by=operator)
    assert sorted(learned(ann)) == ["FAVORITE_CORAL staghorn", "LOVES fog"]


def test_what_is_approved_in_other_words_is_learned_in_these(ann: Character, propose: Propose, operator: User) -> None:
    row = propose()
    decision = decisions.approve(seen(row), by=operator, predicate="LOVES", object=" staghorn  coral ")
    assert learned(ann) == ["LOVES staghorn coral"]
    decisions.undo(decision, by=operator)
    assert str(Proposal.objects.get(pk=row.pk)) == "FAVORITE_CORAL staghorn"


def test_what_is_rejected_or_deferred_is_not_learned(ann: Character, propose: Propose, operator: User) -> None:
    elicited, later = propose(), propose("LOVES", "fog")
    decisions.reject(seen(elicited), by=operator, reason="elicited", note="He asked her to.")
    decisions.defer(seen(later), by=operator, until=timezone.now() + timedelta(days=1))
    assert (state(elicited), state(later), learned(ann)) == (State.REJECTED, State.DEFERRED, [])
    assert list(queue.listed(operator, queue.ProposalFilter())) == []
    Proposal.objects.filter(pk=later.pk).update(deferred_until=timezone.now())
    assert list(queue.listed(operator, queue.ProposalFilter())) == [later]


def test_what_may_not_be_learned_stays_open_and_nothing_is_logged(
    ann: Character, propose: Propose, operator: User
) -> None:
    for row in (propose("HAS_FATHER", "a pilot"), propose("FAVORITE_COLOR", "red")):
        with pytest.raises(Refused):
            decisions.approve(seen(row), by=operator)
        assert state(row) == State.OPEN
    assert (learned(ann), verbs()) == ([], [])


def test_what_somebody_reads_is_not_decided_by_another_before_their_time_is_over(
    propose: Propose, operator: User, other: User
) -> None:
    row = propose()
    assert row.reserve(other)
    assert not row.reserve(operator)
    with pytest.raises(DecidedError, match="other is reading this now"):
        decisions.approve(seen(row), by=operator)
    Proposal.objects.update(reserved_until=timezone.now() - timedelta(seconds=1))
    decisions.approve(seen(row), by=operator)
    assert Proposal.objects.get(pk=row.pk).reserved_by is None


def test_any_decision_that_stands_is_undone_and_that_is_logged(
    ann: Character, propose: Propose, operator: User
) -> None:
    first, second = propose(), propose("LOVES", "fog")
    approved = decisions.approve(seen(first), by=operator)
    rejected = decisions.reject(seen(second), by=operator, reason="once")
    for decision in (approved, rejected):
        decisions.undo(decision, by=operator)
    assert (state(first), state(second), learned(ann)) == (State.OPEN, State.OPEN, [])
    assert LearnedFact.objects.get().state == LearnedFact.State.TAKEN_BACK
    assert verbs() == ["approved", "rejected", "took back", "undid", "undid"]
    with pytest.raises(DecidedError):
        decisions.undo(approved, by=operator)
    decisions.approve(seen(first), by=operator)
    assert learned(ann) == ["FAVORITE_CORAL staghorn"]


def test_a_decision_that_was_followed_by_another_is_not_undone(propose: Propose, operator: User, other: User) -> None:
    row = propose()
    deferred = decisions.defer(seen(row), by=operator, until=timezone.now())
    decisions.reject(seen(row), by=other, reason="vague")
    with pytest.raises(DecidedError, match="other rejected it"):
        decisions.undo(deferred, by=operator)
    assert state(row) == State.REJECTED
