"""Deciding on the page: what is shown next, what is refused and how, and what is taken back."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from characters.authoring.learned import promoting
from characters.profiles.learned.models import LearnedFact
from characters.review import decisions
from characters.review.decisions import Seen
from characters.review.models import Decision, Proposal
from kgadmin.accounts.models import User
from tests.characters.review.conftest import Proposed

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
        return f"{response.status_code}: {response.context['error']}"

    return send


def state(proposal: Proposal) -> str:
    return Proposal.objects.get(pk=proposal.pk).state


def toast(client: Client) -> str:
    """What the next page says."""
    return " ".join(str(message) for message in client.get("/review/").context["messages"])


def test_a_decision_leads_to_the_next_of_the_same_filter(decide: Decide, proposed: Proposed) -> None:
    first, second = proposed("red coral", priority=0.9), proposed("soft coral", priority=0.1)
    proposed("kelp", priority=0.5)
    assert decide(first, "approve", "?q=coral&page=1") == f"/review/{second.pk}/?q=coral"
    assert decide(second, "approve", "?q=coral") == "/review/?q=coral"
    assert set(LearnedFact.objects.values_list("object", flat=True)) == {"red coral", "soft coral"}


def test_at_the_end_of_the_queue_the_one_before_is_shown(decide: Decide, proposed: Proposed) -> None:
    first, last = proposed("a", priority=0.9), proposed("b", priority=0.1)
    assert decide(last, "approve") == f"/review/{first.pk}/"


def test_what_was_done_is_said_with_a_way_back(decide: Decide, operator_client: Client, proposed: Proposed) -> None:
    decide(proposed("<b>coral</b>"), "approve")
    said = toast(operator_client)
    assert "Approved “I love &lt;b&gt;coral&lt;/b&gt;.”." in said
    assert 'formaction="/review/decisions/' in said


def test_a_rejection_keeps_reason_and_note_and_what_is_deferred_waits_for_its_day(
    decide: Decide, proposed: Proposed
) -> None:
    proposal = proposed()
    decide(proposal, "reject", reason="led", note="see turn 3")
    decision = Decision.objects.get()
    assert (state(proposal), decision.reason, decision.note) == ("rejected", "led", "see turn 3")
    later = proposed("kelp")
    for until, days in (("tomorrow", 1), ("week", 7), ("other", None)):
        decide(later, "defer", until=until)
        waits = Proposal.objects.get(pk=later.pk).deferred_until
        assert (waits is None) == (days is None), until
        assert not waits or abs(waits - timezone.now() - timedelta(days=days or 0)) < timedelta(minutes=1), until


def test_what_somebody_else_decided_meanwhile_is_refused_and_nothing_typed_is_lost(
    operator_client: Client, other_operator: User, proposed: Proposed
) -> None:
    proposal = proposed()
    decisions.reject(Seen(proposal.pk, 1), by=other_operator, reason="once")
    typed = {"version": "1", "predicate": "LIKES", "object": "the reef at dawn"}
    response = operator_client.post(f"/review/{proposal.pk}/approve/?q=stag", typed)
    assert response.status_code == 409
    text = " ".join(response.content.decode().split())
    assert "operator 2 rejected it meanwhile, so nothing was done." in text
    assert "the reef at dawn" in text
    assert response.headers["HX-Push-Url"] == f"/review/{proposal.pk}/?q=stag"
    assert LearnedFact.objects.count() == 0


def test_what_she_can_t_learn_is_refused_with_the_form_still_filled(
    operator_client: Client, proposed: Proposed
) -> None:
    proposal = proposed()
    typed = {"version": "1", "predicate": "HAS_FATHER", "object": "a pirate king"}
    response = operator_client.post(f"/review/{proposal.pk}/approve/", typed)
    assert response.status_code == 422
    text = response.content.decode()
    assert "HAS_FATHER can’t be learned" in text.replace("&#x27;", "’")
    assert 'value="a pirate king"' in text
    assert "<details name=decision open>" in " ".join(text.split()).replace('"', "")
    assert state(proposal) == "open"


UNUSABLE: tuple[tuple[str, dict[str, str], str], ...] = (
    ("reject", {}, "Choose a reason."),
    ("reject", {"reason": "led", "note": "\0"}, "null byte"),
    ("reject", {"reason": "whatever"}, "whatever"),
    ("defer", {}, "Choose until when."),
    ("approve", {"object": "x" * 501}, "At most 500 characters"),
    ("approve", {"version": ""}, "Open the proposal"),
    ("approve", {"version": "none"}, "whole number"),
)


def test_a_form_that_cant_be_used_says_why(decide: Decide, proposed: Proposed) -> None:
    proposal = proposed()
    for verb, values, said in UNUSABLE:
        answer = decide(proposal, verb, **values)
        assert answer.startswith("400: "), values
        assert said in answer, values
    assert state(proposal) == "open"


def test_one_decision_is_undone_once(decide: Decide, operator_client: Client, proposed: Proposed) -> None:
    proposal = proposed()
    decide(proposal, "approve")
    assert ">Undo<" in "".join(operator_client.get(f"/review/{proposal.pk}/").content.decode().split())
    path = f"/review/decisions/{Decision.objects.get().pk}/undo/"
    response = operator_client.post(f"{path}?tab=approved")
    assert response.headers["Location"] == f"/review/{proposal.pk}/?tab=approved"
    assert state(proposal) == "open"
    assert LearnedFact.objects.get().state == "taken back"
    assert "waits again" in toast(operator_client)
    again = operator_client.post(path)
    assert again.status_code == 409
    assert "undone" in again.context["error"]


def test_undoing_says_what_is_left_of_it_in_the_draft(
    decide: Decide, operator_client: Client, proposed: Proposed, author: User
) -> None:
    proposal = proposed("old maps")
    decide(proposal, "approve", object="paper maps")
    kept = promoting.promote(LearnedFact.objects.get(), by=author)
    toast(operator_client)
    operator_client.post("/review/undo/")
    assert f"draft still has it as {kept}: remove it there" in toast(operator_client)


def test_edited_words_are_learned_and_told_where_it_was_decided(
    decide: Decide, operator_client: Client, proposed: Proposed
) -> None:
    proposal = proposed("old maps")
    decide(proposal, "approve", predicate="LIKES", object="paper maps")
    assert LearnedFact.objects.get().predicate.name == "LIKES"
    operator_client.post("/review/undo/")
    decisions_page, own = (
        " ".join(operator_client.get(path).content.decode().split())
        for path in ("/review/decisions/", f"/review/{proposal.pk}/")
    )
    assert "“I like paper maps.”" in decisions_page
    assert "She had said: “I love old maps.”" in decisions_page
    assert "<b>Approved</b> as “I like paper maps.”" in own


def test_undo_takes_ones_own_last_decisions_back_one_after_the_other(
    decide: Decide, operator_client: Client, other_operator: User, proposed: Proposed
) -> None:
    first, second, others = proposed("a"), proposed("b"), proposed("c")
    decide(first, "reject", reason="led")
    decide(second, "defer", until="other")
    decide(second, "approve")
    decisions.reject(Seen(others.pk, 1), by=other_operator, reason="once")
    back = [operator_client.post("/review/undo/").headers["Location"] for _ in range(3)]
    assert back == [f"/review/{second.pk}/", f"/review/{first.pk}/", "/review/"]
    assert [state(each) for each in (first, second, others)] == ["open", "open", "rejected"]
    assert "nothing of yours to undo" in toast(operator_client)


def test_what_is_gone_is_said(operator_client: Client) -> None:
    decided = ("decisions/9/undo/", "decisions/batches/none/undo/")
    for path in (*(f"9/{what}/" for what in ("approve", "reject", "defer", "reserve", "release")), *decided):
        assert operator_client.post(f"/review/{path}").status_code == 404, path
