"""What stands against approving: told before anybody presses, refused all the same, and outweighed by a reason."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from characters.profiles.models import LearnedFact
from characters.review import batches, objections
from characters.review.decisions import ProposalVersion
from characters.review.models import Batch, Claim, Decision, Proposal
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from tests.characters.review.conftest import Proposed, do, judged, page, refusal
from tests.rest import get

pytestmark = pytest.mark.django_db
ClaimOf = Callable[..., Claim]
BAD = "It has a bad verdict (Elicited? yes). Say why to approve it anyway, or leave it."


@pytest.fixture
def elicited(proposed: Proposed) -> Proposal:
    """One of which a verdict is bad."""
    proposal = proposed("fog")
    judged(proposal, "taint", "bad")
    return proposal


def approve(client: Client, proposal: Proposal, **more: str) -> Any:
    return client.post(f"/review/{proposal.pk}/approve/", {"version": "1", **more})


def learned() -> list[str]:
    return list(LearnedFact.objects.order_by("pk").values_list("object", flat=True))


def test_what_would_be_refused_is_told_beside_a_button_that_cant_be_pressed(
    operator_client: Client, proposed: Proposed
) -> None:
    refused = {
        proposed("Odense", predicate="LIVES_IN"): "LIVES_IN can't be learned: only tastes and opinions can.",
        proposed("jazz"): "The sheet contradicts this: DISLIKES jazz. Core facts take precedence.",
        proposed("\u200b"): "The object has 0 characters; between 1 and 500 are allowed.",
    }
    before = Entry.objects.count()
    for proposal, why in refused.items():
        text = page(operator_client, proposal).replace("&#x27;", "'")
        assert 'disabled data-key="a" aria-keyshortcuts="a" aria-describedby="refused"' in text, why
        assert f'id="refused" tabindex="-1">{why}' in text
        assert get(operator_client, f"/proposals/{proposal.pk}")["refused"].startswith(why)
        response = approve(operator_client, proposal)
        assert (response.status_code, refusal(response)[: len(why)]) == (422, why)
    assert (learned(), Entry.objects.count()) == ([], before)
    assert "disabled data-key" not in page(operator_client, proposed("staghorn"))


def test_whatever_is_refused_was_foretold_and_nothing_else(
    proposed: Proposed, claim_of: ClaimOf, operator: User
) -> None:
    private, hiding = proposed("swimming with Oleanda"), proposed("the boat of Thor\u200bvald")
    claim_of(private, person="Oleanda")
    claim_of(hiding, person="Thorvald")
    rows = [
        private,
        hiding,
        proposed("Odense", predicate="LIVES_IN"),
        proposed("jazz"),
        proposed("a"),
        proposed("A", meaning=""),
    ]
    for row in rows:
        foretold = objections.why_not(row)
        report = batches.decide([ProposalVersion(row.pk, 1)], verb="approved", by=operator)
        assert [each.why for each in report.left] == ([foretold] if foretold else []), row
    assert learned() == ["a"]


def test_a_bad_verdict_asks_for_a_reason_which_stands_in_decision_and_log(
    operator_client: Client, elicited: Proposal
) -> None:
    text = page(operator_client, elicited)
    assert "Reason for approving anyway" in text
    assert BAD in text
    for more in ({}, {"note": "  "}, {"note": "\u200b"}, {"predicate": "LIKES", "object": "thick fog"}):
        response = approve(operator_client, elicited, **more)
        assert (response.status_code, refusal(response)) == (422, BAD)
    assert learned() == []
    approve(operator_client, elicited, note="She said it unasked, too.")
    assert (learned(), Decision.objects.get().note) == (["fog"], "She said it unasked, too.")
    assert Entry.objects.get(verb="approved").detail.note == "She said it unasked, too."


def test_every_bad_verdict_is_named_and_no_other_asks(
    operator_client: Client, elicited: Proposal, proposed: Proposed
) -> None:
    judged(elicited, "contradiction", "bad")
    judged(elicited, "duplicate", "warn")
    assert "(Elicited? yes, Contradiction: contradicts)" in page(operator_client, elicited)
    unsure = proposed("kelp")
    judged(unsure, "taint", "warn")
    judged(unsure, "validation", "not judged")
    assert "Reason for approving anyway" not in page(operator_client, unsure)
    assert approve(operator_client, unsure).status_code == 302


@pytest.fixture
def chosen(operator_client: Client, elicited: Proposal, proposed: Proposed) -> str:
    """The preview of approving three: one is good, one was elicited, one was elicited and can't be learned."""
    never = proposed("Odense", predicate="LIVES_IN")
    judged(never, "taint", "bad")
    rows = [elicited, proposed("kelp"), never]
    sent = {"verb": "approve", "chosen": [f"{each.pk}:1" for each in rows]}
    return str(operator_client.post("/review/bulk/", sent).headers["Location"])


def test_a_preview_names_what_is_left_out_and_why(operator_client: Client, chosen: str) -> None:
    preview = operator_client.get(chosen)
    text = " ".join(preview.content.decode().split())
    assert "1 can be done now, 1 can’t: see below. 1 has a bad verdict and is left out: see below." in text
    assert "Also approve 1 with a bad verdict" in text
    assert [(line.sentence, line.why) for line in preview.context["left"]] == [("I love fog.", BAD)]
    assert [line.sentence for line in preview.context["refused"]] == ["I live in Odense."]


def test_a_batch_leaves_bad_verdicts_out_whatever_is_written_beside(operator_client: Client, chosen: str) -> None:
    do(operator_client, chosen, note="Why not.")
    report = operator_client.get(chosen).context
    assert (learned(), report["counts"]["left"]) == (["kelp"], 2)
    assert Decision.objects.get().note == ""


def test_a_batch_approves_them_too_where_somebody_says_so_and_why(operator_client: Client, chosen: str) -> None:
    response = do(operator_client, chosen, also_bad="1")
    assert (response.status_code, refusal(response)) == (422, "Give a reason for approving them anyway.")
    assert Batch.objects.get().state == "draft"
    do(operator_client, chosen, also_bad="1", note="Heard them all.")
    assert learned() == ["fog", "kelp"]
    assert set(Entry.objects.filter(verb="approved").values_list("detail__note", flat=True)) == {"Heard them all."}
    assert "Heard them all." in operator_client.get(chosen).content.decode()
