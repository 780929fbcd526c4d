"""Many at once: seen first, then done one by one with a report, taken back, gone on with after a kill; and the past."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from characters.profiles.models import LearnedFact
from characters.review import batches, decisions
from characters.review.decisions import DecidedError, ProposalVersion
from characters.review.models import Batch, Decision, Proposal
from characters.review.queue_page import ROWS_A_PAGE
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from tests.characters.review.conftest import Proposed, do, judged, work

pytestmark = pytest.mark.django_db


def choose(client: Client, verb: str, *proposals: Proposal, query: str = "", **more: str) -> str:
    """Choose these on the page; where it leads."""
    chosen = [f"{each.pk}:{each.version}" for each in proposals]
    response = client.post(f"/review/bulk/{query}", {"verb": verb, "chosen": chosen, **more})
    assert response.status_code == 302
    return response.headers["Location"]


def undo(client: Client, key: str) -> str:
    """Take a batch back, as the page does; where it leads."""
    response = client.post(f"/review/decisions/batches/{key}/undo/")
    work()
    return str(response.headers["Location"])


def states() -> dict[str, str]:
    return dict(Proposal.objects.values_list("object", "state"))


@pytest.mark.engine
def test_a_preview_says_what_would_be_done_and_does_nothing(
    operator_client: Client, other: User, proposed: Proposed
) -> None:
    good, read, decided, never = proposed("a"), proposed("b"), proposed("c"), proposed("Odense", predicate="LIVES_IN")
    read.reserve(other)
    decisions.reject(ProposalVersion(decided.pk, 1), by=other, reason="once")
    before = states(), Entry.objects.count(), LearnedFact.objects.count()
    page = operator_client.get(choose(operator_client, "approve", good, read, decided, never))
    assert page.context["foreseen"] == 1
    refused = {line.sentence: line.why for line in page.context["refused"]}
    assert refused == {
        "I love b.": "other is reviewing this now. Wait, or ask them.",
        "I love c.": "other rejected it in the meantime, so nothing was done. Look at it again.",
        "I live in Odense.": "LIVES_IN can't be learned: only tastes and opinions can. "
        "An author can add it to the sheet.",
    }
    assert (states(), Entry.objects.count(), LearnedFact.objects.count()) == before


def test_a_report_says_what_was_done_skipped_and_failed_and_all_of_it_is_undone(
    operator_client: Client, other: User, proposed: Proposed
) -> None:
    rows = [proposed(f"thing {number}") for number in range(8)] + [proposed("x", predicate="LIVES_IN")]
    where = choose(operator_client, "approve", *rows)
    decisions.reject(ProposalVersion(rows[0].pk, 1), by=other, reason="once")
    for _ in range(2):  # what is done twice is done once
        assert do(operator_client, where).headers["Location"] == where
    report = operator_client.get(where, headers={"hx-request": "true"})
    assert "every 1s" not in report.content.decode()
    counts = report.context["counts"]
    assert (counts["done"], counts["left"], counts["waiting"]) == (7, 2, 0)
    batch = Batch.objects.get()
    assert Entry.objects.filter(batch=batch.key, verb="approved").count() == 7
    for _ in range(2):
        assert undo(operator_client, batch.key) == where
        do(operator_client, where)
    report = operator_client.get(where)
    assert (report.context["counts"]["undone"], report.context["can_undo"]) == (7, False)
    assert sorted(set(states().values())) == ["open", "rejected"]
    assert Entry.objects.filter(batch=f"{batch.key}-undo", verb="undid").count() == 7


def test_a_batch_is_rejected_with_a_reason_whatever_its_verdicts(operator_client: Client, proposed: Proposed) -> None:
    bad, good = proposed("a"), proposed("b")
    judged(bad, "taint", "bad")
    where = choose(operator_client, "reject", bad, good)
    assert "bad verdict" not in operator_client.get(where).content.decode()
    do(operator_client, where, reason="vague", note="both")
    assert set(Decision.objects.values_list("reason", "note")) == {("vague", "both")}
    assert set(states().values()) == {"rejected"}


def test_everything_that_the_filter_lets_through_is_chosen(operator_client: Client, proposed: Proposed) -> None:
    for number in range(ROWS_A_PAGE + 1):
        proposed(f"coral {number}")
    proposed("kelp")
    where = choose(operator_client, "reject", query="?q=coral", everything="1")
    assert operator_client.get(where).context["total"] == ROWS_A_PAGE + 1
    assert "/review/?q=coral" in operator_client.get(where).content.decode()


def test_undoing_the_last_decision_shows_a_batch_before_it_is_taken_back(
    operator_client: Client, proposed: Proposed
) -> None:
    where = choose(operator_client, "approve", proposed("a"), proposed("b"), query="?q=a")
    do(operator_client, where)
    response = operator_client.post("/review/undo/", headers={"hx-request": "true"})
    assert response.headers["HX-Redirect"] == where
    assert set(states().values()) == {"approved"}
    report = operator_client.get(where)
    assert "Your last decision was a batch. Undo it here." in report.content.decode()
    assert report.context["can_undo"]
    undo(operator_client, report.context["batch"].key)
    assert set(states().values()) == {"open"}


def test_every_operator_reads_a_report_and_nobody_elses_preview(
    operator_client: Client, other: User, proposed: Proposed
) -> None:
    colleague = Client()
    colleague.force_login(other)
    where = choose(operator_client, "approve", proposed("a"))
    assert colleague.get(where).status_code == 404
    assert colleague.post(f"{where}do/").status_code == 404
    do(operator_client, where)
    assert colleague.get(where).context["counts"]["done"] == 1


@pytest.fixture
def many(operator: User, proposed: Proposed) -> Batch:
    rows = [proposed(f"thing {number}") for number in range(50)]
    batch = batches.choose([ProposalVersion(row.pk, row.version) for row in rows], verb="rejected", by=operator)
    Batch.objects.filter(pk=batch.pk).update(reason="vague")
    batch.refresh_from_db()
    return batch


class KilledError(BaseException):
    """As if the process had ended there."""


@pytest.mark.engine
def test_after_a_kill_it_goes_on_where_it_stopped(many: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Decision] = decisions.reject
    done: list[int] = []

    def dies(target: ProposalVersion, **values: object) -> Decision:
        if len(done) == 45:
            raise KilledError
        done.append(target.pk)
        return real(target, **values)

    monkeypatch.setattr(decisions, "reject", dies)
    with pytest.raises(KilledError):
        batches.carry_on(many)
    assert many.decisions.count() == 45
    monkeypatch.setattr(decisions, "reject", real)
    batches.carry_on(many)
    assert Decision.objects.count() == many.items.count()


def test_what_cannot_be_undone_stays_with_its_reason_and_is_tried_again(
    many: Batch, operator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches.carry_on(many)
    real = decisions.undo
    first = many.decisions.earliest("pk")

    def busy(decision: Decision, **values: Any) -> Proposal:
        if decision == first:
            raise DecidedError("Try again.")
        return real(decision, **values)

    monkeypatch.setattr(decisions, "undo", busy)
    batches.carry_on(batches.start_undo(many.key, by=operator))
    assert [(each.id, each.why) for each in batches.report(many).left] == [(first.proposal_id, "Try again.")]
    assert list(many.decisions.standing()) == [first]
    monkeypatch.setattr(decisions, "undo", real)
    batches.carry_on(batches.start_undo(many.key, by=operator))
    assert (batches.report(many).left, set(states().values())) == ([], {"open"})


@pytest.mark.engine
def test_the_past_is_shown_press_by_press(
    operator_client: Client, operator: User, other: User, proposed: Proposed
) -> None:
    where = choose(operator_client, "approve", *(proposed(f"thing {number}") for number in range(5)))
    do(operator_client, where)
    decisions.reject(ProposalVersion(proposed("kelp").pk, 1), by=other, reason="once", note="said in jest")
    page = operator_client.get("/review/decisions/")
    presses = page.context["presses"]
    assert [(each.decision.verb, each.of_batch) for each in presses] == [
        ("rejected", 0),
        ("approved", 5),
    ]
    text = " ".join(page.content.decode().split())
    assert "Undo batch" in text
    assert "said in jest" in text
    by_one = operator_client.get(f"/review/decisions/?by={operator.pk}&verb=approved").context["presses"]
    assert [each.decision.verb for each in by_one] == ["approved"]
    assert operator_client.get("/review/decisions/?by=x&verb=y&page=z").status_code == 200
