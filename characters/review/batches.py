"""Deciding on many at once: chosen, foreseen, done one by one, reported. A killed worker goes on where it stopped.

Each is decided in a transaction of its own, and what was done is counted in blocks. A worker that goes on for a killed
one finds in the log what that one did.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from characters.profiles.learned import many
from characters.review import decisions, objections
from characters.review.decisions import DecidedError, Seen
from characters.review.models import Batch, BatchItem, Decision, Verdict, subject_of_proposal
from characters.review.objections import UnreasonedError
from kgadmin import locks
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused

KIND = "decide"
FORESEEN = 100
"""So many are tried before it is begun."""
MOST = 20_000
PREVIEW_KEPT = timedelta(hours=1)
BLOCK = 20
"""So many are done between two words of progress."""
WHY = 300
Verb, Outcome = Batch.Verb, BatchItem.Outcome


def choose(seen: Iterable[Seen], *, verb: str, by: User, back: str = "") -> Batch:
    """A batch that isn't begun; what the same operator chose an hour ago and never did is dropped."""
    with transaction.atomic():
        old = timezone.now() - PREVIEW_KEPT
        Batch.objects.filter(by=by, state=Batch.State.DRAFT, created_at__lt=old).delete()
        batch = Batch.objects.create(verb=verb, by=by, back=back)
        rows = (BatchItem(batch=batch, proposal_id=each.pk, version=each.version) for each in seen)
        BatchItem.objects.bulk_create(rows, batch_size=1000)
    return batch


def to_undo(key: str, *, by: User) -> Batch:
    """A batch that takes back what still stands of another one."""
    back = Batch.objects.filter(key=key).values_list("back", flat=True).first() or ""
    with transaction.atomic():
        batch = Batch.objects.create(verb=Verb.UNDONE, undoes=key, by=by, back=back)
        standing = Decision.objects.standing().filter(batch=key).order_by("-pk").only("proposal", "version")
        rows = (
            BatchItem(batch=batch, proposal_id=row.proposal_id, decision=row, version=row.version) for row in standing
        )
        BatchItem.objects.bulk_create(rows, batch_size=1000)
    return batch


def foresee(batch: Batch) -> dict[int, tuple[str, str]]:
    """What would become of its first proposals, by their ids: done for a moment, and taken back before anybody sees."""
    found: dict[int, tuple[str, str]] = {}
    # A look gives way to whoever decides.
    with suppress(DecidedError), many.reading_once(), locks.atomic(DecidedError):
        for item in _waiting(batch)[:FORESEEN]:
            found[item.proposal_id] = _outcome(batch, item)
        transaction.set_rollback(True)
    return found


def left_out(batch: Batch, foreseen: Mapping[int, tuple[str, str]]) -> set[int]:
    """The proposals that a batch leaves out for a bad verdict, and for nothing else, while it has no reason."""
    if batch.verb != Verb.APPROVED:
        return set()
    verdicts = Verdict.objects.filter(proposal__in=batch.items.filter(outcome="").values("proposal"))
    bad = objections.unreasoned(verdicts)
    return {pk for pk, why in bad.items() if foreseen.get(pk, (Outcome.SKIPPED, why)) == (Outcome.SKIPPED, why)}


@transaction.atomic
def start(batch: Batch) -> None:
    """Have it done in the background: whoever began it may be killed, and it goes on."""
    Batch.objects.filter(pk=batch.pk, state=Batch.State.DRAFT).update(state=Batch.State.STARTED)
    jobs.start(kind=KIND, subject=subject_of(batch), by=batch.by)


def subject_of(batch: Batch) -> str:
    """How its job names it."""
    return f"batch:{batch.pk}"


def run(job: Job) -> None:
    """The job of a batch."""
    batch = Batch.objects.select_related("by").filter(pk=job.subject.partition(":")[2]).first()
    if batch is not None:
        carry_on(batch, job)


def carry_on(batch: Batch, job: Job | None = None) -> None:
    """Decide what isn't decided yet."""
    total, waiting = batch.items.count(), list(_waiting(batch))
    with many.one_sweep():
        for start in range(0, len(waiting), BLOCK):
            if job:
                job.progress(done=total - len(waiting) + start, total=total, note="Deciding")
            _do(batch, waiting[start : start + BLOCK])
    if job:
        job.progress(done=total, total=total)
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.DONE)


def _waiting(batch: Batch) -> QuerySet[BatchItem]:
    return batch.items.filter(outcome="").select_related("decision")


def _do(batch: Batch, items: Iterable[BatchItem]) -> None:
    done = []
    with many.reading_once():
        for item in items:
            outcome, why = _outcome(batch, item)
            if outcome == Outcome.DONE:
                done.append(item.pk)
            else:
                batch.items.filter(pk=item.pk, outcome="").update(outcome=outcome, why=why[:WHY])
    batch.items.filter(pk__in=done).update(outcome=Outcome.DONE, why="")


def _outcome(batch: Batch, item: BatchItem) -> tuple[str, str]:
    try:
        _act(batch, item)
    except DecidedError as error:
        return (Outcome.DONE, "") if _is_done(batch, item) else (Outcome.SKIPPED, str(error))
    except UnreasonedError as error:
        return Outcome.SKIPPED, str(error)
    except Refused as error:
        return Outcome.FAILED, str(error)
    return Outcome.DONE, ""


def _is_done(batch: Batch, item: BatchItem) -> bool:
    """Whether this batch did it before: its worker was killed before it was counted, or another one was faster."""
    return Entry.objects.filter(batch=batch.key, subject=subject_of_proposal(item.proposal_id)).exists()


def _act(batch: Batch, item: BatchItem) -> None:
    seen, by, key = Seen(item.proposal_id, item.version), batch.by, batch.key
    if batch.verb == Verb.APPROVED:
        decisions.approve(seen, by=by, batch=key, note=batch.note)
    elif batch.verb == Verb.REJECTED:
        decisions.reject(seen, by=by, reason=batch.reason, note=batch.note, batch=key)
    elif batch.verb == Verb.DEFERRED:
        decisions.defer(seen, by=by, until=batch.until, batch=key)
    elif item.decision:
        decisions.undo(item.decision, by=by, batch=key)
