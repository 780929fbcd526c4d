"""Many at once, as a job: chosen, looked at, decided one by one with a report, and taken back in the same way.

Each is decided in a transaction of its own. What was done are the decisions that bear the batch's key: a worker that
goes on for a killed one does what has none yet.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from characters.profiles.learned import many
from characters.review import decisions, objections
from characters.review.decisions import Seen
from characters.review.models import Batch, BatchItem, Decision, Proposal, Verdict
from kgadmin.accounts.models import User
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused

KIND = "decide"
FORESEEN = 100
"""So many are looked at before it is begun."""
MOST = 20_000
PREVIEW_KEPT = timedelta(hours=1)
BLOCK = 20
"""So many are done between two words of progress."""
WHY = 300
Verb, State = Decision.Verb, Batch.State
VERBS = {"approve": Verb.APPROVED, "reject": Verb.REJECTED, "defer": Verb.DEFERRED}
"""What a page's button or a program asks for."""


@dataclass(frozen=True, slots=True)
class NotDone:
    """One that was left as it is, and why."""

    id: int
    why: str


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a batch, by the ids of its proposals. `batch` is empty where nothing was done."""

    batch: str
    done: list[int]
    left: list[NotDone]


@transaction.atomic
def choose(seen: Iterable[Seen], *, verb: str, by: User, **how: Any) -> Batch:
    """A batch that isn't begun; what the same operator chose an hour ago and never did is dropped."""
    old = timezone.now() - PREVIEW_KEPT
    Batch.objects.filter(by=by, state=State.DRAFT, created_at__lt=old).delete()
    batch = Batch.objects.create(verb=verb, by=by, **how)
    rows = (BatchItem(batch=batch, proposal_id=each.pk, version=each.version) for each in seen)
    BatchItem.objects.bulk_create(rows, batch_size=1000)
    return batch


def decide(seen: Iterable[Seen], *, verb: str, by: User, **how: Any) -> Report:
    """Do it at once, without a job."""
    batch = choose(seen, verb=verb, by=by, state=State.STARTED, **how)
    carry_on(batch)
    return report(batch)


@transaction.atomic
def undoing(key: str, *, by: User) -> Batch:
    """The batch of these decisions, of which those that stand are to be taken back."""
    first = Decision.objects.filter(batch=key)[0]
    batch, _ = Batch.objects.get_or_create(key=key, defaults={"verb": first.verb, "by": by})
    batch.state, batch.undone_by = State.UNDOING, by
    batch.save(update_fields=["state", "undone_by"])
    batch.items.filter(proposal__in=batch.decisions.values("proposal")).update(why="")
    return batch


def foresee(batch: Batch) -> dict[int, str]:
    """Why its first proposals can't be decided as they are, by their ids; empty where they can. Nothing is written.

    That one of them stands against another is found out when they are done.
    """
    items = batch.items.all()[:FORESEEN]
    rows = Proposal.objects.select_related("character", "reserved_by").defer("vector")
    found = rows.in_bulk([item.proposal_id for item in items])
    with many.reading_once():
        return {item.proposal_id: _why_not(batch, item, found[item.proposal_id]) for item in items}


def _why_not(batch: Batch, item: BatchItem, row: Proposal) -> str:
    meanwhile = decisions.why_not(Seen(row.pk, item.version), row, by=batch.by)
    return meanwhile or (objections.why_not(row) if batch.verb == Verb.APPROVED else "")


def left_out(batch: Batch, foreseen: Mapping[int, str]) -> dict[int, str]:
    """The proposals that a batch leaves out for a bad verdict, and for nothing else, while it has no reason."""
    if batch.verb != Verb.APPROVED:
        return {}
    bad = objections.unreasoned(Verdict.objects.filter(proposal__in=batch.items.values("proposal")))
    return {pk: why for pk, why in bad.items() if not foreseen.get(pk)}


def report(batch: Batch) -> Report:
    """What became of it; of one that is undone, which were taken back."""
    rows = batch.decisions.order_by("pk")
    done = [row.proposal_id for row in (rows.exclude(undone_at=None) if batch.undone_by else rows)]
    left = [NotDone(item.proposal_id, item.why) for item in batch.items.exclude(why="")]
    return Report(batch.key if done else "", done, left)


@transaction.atomic
def start(batch: Batch) -> None:
    """Have it done, or undone, in the background: whoever began it may be killed, and it goes on."""
    Batch.objects.filter(pk=batch.pk, state=State.DRAFT).update(state=State.STARTED)
    jobs.start(kind=KIND, subject=subject_of(batch), by=batch.undone_by or batch.by)


def subject_of(batch: Batch) -> str:
    """How its job names it."""
    return f"batch:{batch.pk}"


def run(job: Job) -> None:
    """The job of a batch."""
    begun = Batch.objects.select_related("by", "undone_by").filter(state__in=[State.STARTED, State.UNDOING])
    if batch := begun.filter(pk=job.subject.partition(":")[2]).first():
        carry_on(batch, job)


def carry_on(batch: Batch, job: Job | None = None) -> None:
    """Do what isn't done yet, or take back what still stands."""
    is_undoing = batch.state == State.UNDOING
    total = batch.decisions.count() if is_undoing else batch.items.count()
    rows: list[Decision | BatchItem] = list(batch.decisions.standing() if is_undoing else batch.waiting())
    with many.one_sweep():
        for start in range(0, len(rows), BLOCK):
            if job:
                job.progress(done=total - len(rows) + start, total=total, note="Undoing" if is_undoing else "Deciding")
            with many.reading_once():
                for row in rows[start : start + BLOCK]:
                    _do(batch, row)
    if job:
        job.progress(done=total, total=total)
    # One that is to be undone meanwhile runs once more.
    Batch.objects.filter(pk=batch.pk, state=batch.state).update(state=State.UNDONE if is_undoing else State.DONE)


def _do(batch: Batch, row: Decision | BatchItem) -> None:
    try:
        _undo(batch, row) if isinstance(row, Decision) else _decide(batch, row)
    except Refused as error:
        done = batch.decisions.filter(proposal=row.proposal_id)
        if isinstance(row, Decision):
            done = done.exclude(undone_at=None)
        if not done.exists():  # else another worker did it
            left = {"why": str(error)[:WHY], "version": row.version}
            batch.items.update_or_create(proposal_id=row.proposal_id, defaults=left)


def _undo(batch: Batch, decision: Decision) -> None:
    # Another press in the log than the decisions, and the same for a worker that goes on.
    decisions.undo(decision, by=batch.undone_by, batch=f"{batch.key[:35]}-undo")


def _decide(batch: Batch, item: BatchItem) -> None:
    seen, by, key = Seen(item.proposal_id, item.version), batch.by, batch.key
    if batch.verb == Verb.APPROVED:
        decisions.approve(seen, by=by, batch=key, note=batch.note, also_bad=batch.also_bad)
    elif batch.verb == Verb.REJECTED:
        decisions.reject(seen, by=by, reason=batch.reason, note=batch.note, batch=key)
    else:
        decisions.defer(seen, by=by, until=batch.until, batch=key)
