"""What operators decide: done once, told to whoever comes second, undone one by one or as a batch, and in the log."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from characters.profiles.models import Character, LearnedFact
from characters.review import decisions, queue
from characters.review.decisions import DecidedError
from characters.review.models import Proposal
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from tests.characters.review.proposals import at_version, learned, proposal, state, verbs

pytestmark = [pytest.mark.django_db, pytest.mark.engine]
State = Proposal.State


def test_what_is_approved_is_learned_and_any_decision_that_stands_undone_and_that_is_logged(
    ann: Character, operator: User
) -> None:
    first, second = proposal(ann), proposal(ann, "LOVES", "fog")
    approved = decisions.approve(at_version(first), by=operator)
    assert (state(first), learned(ann)) == (State.APPROVED, ["FAVORITE_CORAL staghorn"])
    entry = Entry.objects.exclude(verb="published").get()
    assert (str(entry), entry.character) == (f"operator approved {first.subject}", ann.graph_id)
    assert entry.detail.before["state"] == "open"
    rejected = decisions.reject(at_version(second), by=operator, reason="once")
    for decision in (approved, rejected):
        decisions.undo(decision, by=operator)
    assert (state(first), state(second), learned(ann)) == (State.OPEN, State.OPEN, [])
    assert LearnedFact.objects.get().state == LearnedFact.State.TAKEN_BACK
    assert verbs() == ["approved", "rejected", "took back", "undid", "undid"]
    with pytest.raises(DecidedError):
        decisions.undo(approved, by=operator)
    decisions.approve(at_version(first), by=operator)
    assert learned(ann) == ["FAVORITE_CORAL staghorn"]


def test_a_correction_retires_what_it_corrects_in_the_same_step_and_its_undoing_brings_it_back(
    ann: Character, operator: User, operator_client: Client
) -> None:
    decisions.approve(at_version(proposal(ann)), by=operator)
    decisions.approve(at_version(proposal(ann, "LOVES", "fog")), by=operator)
    row = proposal(ann, "FAVORITE_CORAL", "elkhorn")
    page = f"/review/{row.pk}/"
    text = " ".join(operator_client.get(page).content.decode().split())
    assert "Approving this replaces: “My favorite coral: staghorn.”" in text
    decision = decisions.approve(at_version(row), by=operator)
    assert learned(ann) == ["LOVES fog", "FAVORITE_CORAL elkhorn"]
    assert Entry.objects.filter(verb="archived", reason="corrected", actor=operator.username).count() == 1
    shown = " ".join(operator_client.get(f"{page}?shown=approved").content.decode().split())
    assert "in place of “My favorite coral: staghorn" in shown
    decisions.undo(decision, by=operator)
    assert sorted(learned(ann)) == ["FAVORITE_CORAL staghorn", "LOVES fog"]


def test_what_is_rejected_or_deferred_is_not_learned(ann: Character, operator: User) -> None:
    elicited, later = proposal(ann), proposal(ann, "LOVES", "fog")
    decisions.reject(at_version(elicited), by=operator, reason="elicited", note="He asked her to.")
    decisions.defer(at_version(later), by=operator, until=timezone.now() + timedelta(days=1))
    assert (state(elicited), state(later), learned(ann)) == (State.REJECTED, State.DEFERRED, [])
    assert list(queue.listed(operator, queue.ProposalFilter())) == []
    Proposal.objects.filter(pk=later.pk).update(deferred_until=timezone.now())
    assert list(queue.listed(operator, queue.ProposalFilter())) == [later]


def test_what_somebody_reads_is_not_decided_by_another_before_their_time_is_over(
    ann: Character, operator: User, other: User
) -> None:
    row = proposal(ann)
    assert row.reserve(other)
    assert not row.reserve(operator)
    with pytest.raises(DecidedError, match="other is reviewing this now"):
        decisions.approve(at_version(row), by=operator)
    Proposal.objects.update(reserved_until=timezone.now() - timedelta(seconds=1))
    decisions.approve(at_version(row), by=operator)
    assert Proposal.objects.get(pk=row.pk).reserved_by is None


def test_a_decision_that_was_followed_by_another_is_not_undone(ann: Character, operator: User, other: User) -> None:
    row = proposal(ann)
    deferred = decisions.defer(at_version(row), by=operator, until=timezone.now())
    decisions.reject(at_version(row), by=other, reason="vague")
    with pytest.raises(DecidedError, match="other rejected it"):
        decisions.undo(deferred, by=operator)
    assert state(row) == State.REJECTED


def test_what_earlier_versions_stored_has_todays_names(ann: Character, operator: User) -> None:
    row = proposal(ann)
    decisions.reject(at_version(row), by=operator, reason="vague")
    row.decisions.update(reason="led")
    row.verdicts.update(evidence={"reasons": [{"kind": "leading", "said": "Had said it before"}]})
    import_module("characters.review.migrations.0003_elicited").rename_in_documents(apps, None)
    assert row.decisions.get().reason == "elicited"
    reason = {"kind": "leading", "sentence": "Had said it before"}
    assert [verdict.evidence for verdict in row.verdicts.all()] == [{"reasons": [reason]}] * 2
