"""Many decisions at once, as a job: chosen, previewed, made one by one with a report, and undone in the same way.

Each is made in a transaction of its own and has the batch's key, so that a worker which takes over from a killed one
makes only the others.
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from ninja import Field, Schema

from characters.profiles.learned import services as learning
from characters.review import decisions, objections
from characters.review.decisions import ProposalVersion
from characters.review.models import Batch, BatchItem, Decision, Proposal, Verdict
from kgadmin.accounts.models import User
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused

KIND = "decide"
FORESEEN = 100
"""Proposals that a preview checks."""
PREVIEW_LASTS = timedelta(hours=1)
BLOCK = 20
"""Proposals between two reports of progress."""
WHY = 300
Verb, State = Decision.Verb, Batch.State
VERBS = {"approve": Verb.APPROVED, "reject": Verb.REJECTED, "defer": Verb.DEFERRED}
"""Values of a page's button, or of the API."""


class NotDone(Schema):
    """A proposal that was left unchanged, and why."""

    id: int = Field(examples=[12])
    why: str = Field(examples=["other rejected it in the meantime, so nothing was done. Look at it again."])


class BatchReport(Schema):
    """The outcome of a batch. `batch` is empty if nothing was done; undoing it undoes all."""

    batch: str = Field(examples=["5f0c9f0e4a6b4f5a8a3c0a4f3f1d2b6c"])
    done: list[int] = Field(examples=[[12, 14]])
    left: list[NotDone] = Field(
        description="Somebody else decided them or has them reserved, a verdict is bad, or they can't be learned."
    )


@transaction.atomic
def choose(targets: Iterable[ProposalVersion], *, verb: str, by: User, **values: Any) -> Batch:
    """Create a batch, not started; previews of this operator older than `PREVIEW_LASTS` are deleted."""
    old = timezone.now() - PREVIEW_LASTS
    Batch.objects.filter(by=by, state=State.DRAFT, created_at__lt=old).delete()
    batch = Batch.objects.create(verb=verb, by=by, **values)
    rows = (BatchItem(batch=batch, proposal_id=target.pk, version=target.version) for target in targets)
    BatchItem.objects.bulk_create(rows, batch_size=1000)
    return batch


def decide(targets: Iterable[ProposalVersion], *, verb: str, by: User, **values: Any) -> BatchReport:
    """Decide at once, without a job."""
    batch = choose(targets, verb=verb, by=by, state=State.STARTED, **values)
    carry_on(batch)
    return report(batch)


@transaction.atomic
def start_undo(key: str, *, by: User) -> Batch:
    """Return a batch that undoes the standing decisions of this key."""
    first = Decision.objects.filter(batch=key)[0]
    batch, _ = Batch.objects.get_or_create(key=key, defaults={"verb": first.verb, "by": by})
    batch.state, batch.undone_by = State.UNDOING, by
    batch.save(update_fields=["state", "undone_by"])
    batch.items.filter(proposal__in=batch.decisions.values("proposal")).update(why="")
    return batch


def foresee(batch: Batch) -> dict[int, str]:
    """Return why each of its first proposals can't be decided, by id, empty if it can. Nothing is written.

    Contradictions among them show only when they are decided.
    """
    items = batch.items.all()[:FORESEEN]
    rows = Proposal.objects.select_related("character", "reserved_by").defer("vector")
    proposals = rows.in_bulk([item.proposal_id for item in items])
    return {item.proposal_id: _why_not(batch, item, proposals[item.proposal_id]) for item in items}


def _why_not(batch: Batch, item: BatchItem, row: Proposal) -> str:
    changed = decisions.why_not(ProposalVersion(row.pk, item.version), row, by=batch.by)
    return changed or (objections.why_not(row) if batch.verb == Verb.APPROVED else "")


def left_out(batch: Batch, foreseen: Mapping[int, str]) -> dict[int, str]:
    """Return the proposals that a batch skips only because of a bad verdict, while it has no reason."""
    if batch.verb != Verb.APPROVED:
        return {}
    bad = objections.unreasoned(Verdict.objects.filter(proposal__in=batch.items.values("proposal")))
    return {pk: why for pk, why in bad.items() if not foreseen.get(pk)}


def report(batch: Batch) -> BatchReport:
    """Return the outcome of a batch; if it was undone, `done` lists the undone decisions."""
    rows = batch.decisions.order_by("pk")
    done = [row.proposal_id for row in (rows.exclude(undone_at=None) if batch.undone_by else rows)]
    left = [NotDone(id=item.proposal_id, why=item.why) for item in batch.items.exclude(why="")]
    return BatchReport(batch=batch.key if done else "", done=done, left=left)


@transaction.atomic
def start(batch: Batch) -> None:
    """Decide or undo in the background, by a job that continues after a crash."""
    Batch.objects.filter(pk=batch.pk, state=State.DRAFT).update(state=State.STARTED)
    jobs.start(kind=KIND, subject=batch.subject, by=batch.undone_by or batch.by)


def run(job: Job) -> None:
    """Run the job of a batch."""
    started = Batch.objects.select_related("by", "undone_by").filter(state__in=[State.STARTED, State.UNDOING])
    if batch := started.filter(pk=job.subject.partition(":")[2]).first():
        carry_on(batch, job)


def carry_on(batch: Batch, job: Job | None = None) -> None:
    """Decide what isn't decided yet, or undo what still stands."""
    is_undoing = batch.state == State.UNDOING
    total = batch.decisions.count() if is_undoing else batch.items.count()
    rows: list[Decision | BatchItem] = list(batch.decisions.standing() if is_undoing else batch.waiting())
    with learning.one_sweep():
        for start in range(0, len(rows), BLOCK):
            if job:
                job.progress(done=total - len(rows) + start, total=total, note="Undoing" if is_undoing else "Deciding")
            for row in rows[start : start + BLOCK]:
                _do(batch, row)
    if job:
        job.progress(done=total, total=total)
    # A batch whose undo began in the meantime runs once more.
    Batch.objects.filter(pk=batch.pk, state=batch.state).update(state=State.UNDONE if is_undoing else State.DONE)


def _do(batch: Batch, row: Decision | BatchItem) -> None:
    try:
        if isinstance(row, Decision):  # logged under one key of its own, also by a worker that takes over
            decisions.undo(row, by=batch.undone_by, batch=f"{batch.key[:35]}-undo")
        else:
            _decide(batch, ProposalVersion(row.proposal_id, row.version))
    except Refused as error:
        done = batch.decisions.filter(proposal=row.proposal_id)
        if isinstance(row, Decision):
            done = done.exclude(undone_at=None)
        if not done.exists():  # else another worker did it
            left = {"why": str(error)[:WHY], "version": row.version}
            batch.items.update_or_create(proposal_id=row.proposal_id, defaults=left)


def _decide(batch: Batch, target: ProposalVersion) -> None:
    by, key = batch.by, batch.key
    if batch.verb == Verb.APPROVED:
        decisions.approve(target, by=by, batch=key, note=batch.note, also_bad=batch.also_bad)
    elif batch.verb == Verb.REJECTED:
        decisions.reject(target, by=by, reason=batch.reason, note=batch.note, batch=key)
    else:
        decisions.defer(target, by=by, until=batch.until, batch=key)
