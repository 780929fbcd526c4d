"""Deciding on the page: what is shown next, what is refused and how, and what is taken back."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from characters.authoring.learned.services import promote
from characters.profiles.models import LearnedFact
from characters.review import decisions
from characters.review.decisions import ProposalVersion
from characters.review.models import Decision, Proposal
from kgadmin.accounts.models import User
from tests.characters.review.conftest import Proposed, refusal
from tests.characters.review.proposals import state

pytestmark = pytest.mark.django_db
Decide = Callable[..., str]


@pytest.fixture
def decide(operator_client: Client) -> Decide:
    """`decide(proposal, "reject", ...)`: by its form; where it leads, or what is said with which status."""

    def send(proposal: Proposal, verb: str, query: str = "", **values: str) -> str:
        version = Proposal.objects.get(pk=proposal.pk).version
        filled = {"version": str(version)} | values
        response = operator_client.post(f"/review/{proposal.pk}/{verb}/{query}", filled)
        if response.status_code == 302:
            return response.headers["Location"]
        return f"{response.status_code}: {refusal(response)}"

    return send


def toast(client: Client) -> str:
    """What the next page says."""
    return " ".join(str(message) for message in client.get("/review/").context["messages"])


def test_a_decision_leads_to_the_next_of_the_same_filter(decide: Decide, proposed: Proposed) -> None:
    first, second = proposed("red coral", priority=0.9), proposed("soft coral", priority=0.1)
    proposed("kelp", priority=0.5)
    assert decide(first, "approve", "?q=coral&page=1") == f"/review/{second.pk}/?q=coral"
    assert decide(second, "approve", "?q=coral") == "/review/?q=coral"
    assert set(LearnedFact.objects.values_list("object", flat=True)) == {"red coral", "soft coral"}


def test_a_rejection_keeps_reason_and_note_and_what_is_deferred_waits_for_its_day(
    decide: Decide, proposed: Proposed
) -> None:
    proposal = proposed()
    decide(proposal, "reject", reason="elicited", note="see turn 3")
    decision = Decision.objects.get()
    assert (state(proposal), decision.reason, decision.note) == ("rejected", "elicited", "see turn 3")
    later = proposed("kelp")
    for until, days in (("tomorrow", 1), ("week", 7), ("other", None)):
        decide(later, "defer", until=until)
        waits = Proposal.objects.get(pk=later.pk).deferred_until
        assert (waits is None) == (days is None), until
        assert not waits or abs(waits - timezone.now() - timedelta(days=days or 0)) < timedelta(minutes=1), until


def test_what_somebody_else_decided_meanwhile_is_refused_and_nothing_typed_is_lost(
    operator_client: Client, other: User, proposed: Proposed
) -> None:
    proposal = proposed()
    decisions.reject(ProposalVersion(proposal.pk, 1), by=other, reason="once")
    typed = {"version": "1", "predicate": "LIKES", "object": "the reef at dawn"}
    response = operator_client.post(f"/review/{proposal.pk}/approve/?q=stag", typed)
    assert response.status_code == 409
    text = " ".join(response.content.decode().split())
    assert "other rejected it in the meantime, so nothing was done." in text
    assert "the reef at dawn" in text
    assert response.headers["HX-Push-Url"] == f"/review/{proposal.pk}/?q=stag"
    assert LearnedFact.objects.count() == 0


def test_what_was_done_is_said_with_a_way_back_that_works_once(
    decide: Decide, operator_client: Client, proposed: Proposed
) -> None:
    proposal = proposed("<b>coral</b>")
    decide(proposal, "approve")
    message, path = toast(operator_client), f"/review/decisions/{Decision.objects.get().pk}/undo/"
    assert "Approved “I love &lt;b&gt;coral&lt;/b&gt;.”." in message
    assert f'formaction="{path}' in message
    assert ">Undo<" in "".join(operator_client.get(f"/review/{proposal.pk}/").content.decode().split())
    response = operator_client.post(f"{path}?shown=approved")
    assert response.headers["Location"] == f"/review/{proposal.pk}/?shown=approved"
    assert state(proposal) == "open"
    assert LearnedFact.objects.get().state == "taken back"
    assert "is waiting again" in toast(operator_client)
    again = operator_client.post(path)
    assert (again.status_code, "undone" in refusal(again)) == (409, True)


def test_undoing_says_what_is_left_of_it_in_the_draft(
    decide: Decide, operator_client: Client, proposed: Proposed, author: User
) -> None:
    proposal = proposed("old maps")
    decide(proposal, "approve", object="paper maps")
    fact = promote(LearnedFact.objects.get(), by=author)
    toast(operator_client)
    operator_client.post("/review/undo/")
    assert f"draft still has it as {fact}. Remove it there" in toast(operator_client)


def test_undo_takes_ones_own_last_decisions_back_one_after_the_other(
    decide: Decide, operator_client: Client, other: User, proposed: Proposed
) -> None:
    first, second, others = proposed("a"), proposed("b"), proposed("c")
    decide(first, "reject", reason="elicited")
    decide(second, "defer", until="other")
    decide(second, "approve")
    decisions.reject(ProposalVersion(others.pk, 1), by=other, reason="once")
    back = [operator_client.post("/review/undo/").headers["Location"] for _ in range(3)]
    assert back == [f"/review/{second.pk}/", f"/review/{first.pk}/", "/review/"]
    assert [state(each) for each in (first, second, others)] == ["open", "open", "rejected"]
    assert "You have nothing to undo" in toast(operator_client)
