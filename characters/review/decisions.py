"""Deciding on proposals, and taking decisions back. Every ending is one state, and stands in the log.

A decision names the version of the proposal that its operator saw, and locks its row if that is still so: of two at the
same moment one is done and the other is told what happened.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F
from django.utils import timezone

from characters.profiles.learned import services as learning
from characters.profiles.learned.models import LearnedFact
from characters.review import objections
from characters.review.models import Decision, Proposal
from characters.review.tasks import judge_again
from kgadmin import locks
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from kgadmin.audit.services import Act, record
from kgadmin.rest.actions import Refused

REASONS = {
    "contradicts": "Contradicts who she is",
    "once": "True of that conversation only",
    "led": "Put in her mouth",
    "vague": "Too vague to be of use",
    "other": "Another reason",
}
State, Verb = Proposal.State, Decision.Verb
CORRECTED, RETIRED = "corrected", "retired"
"""Why a learned fact is archived by an approval that says otherwise; where the decision names it."""
Names = dict[str, list[str]]
SAID_TO_ANOTHER = "said to somebody else"
"""Until when something deferred waits that has no date."""
_DECIDED = ("predicate", "object", "state", "deferred_until", "decided_at", "learned")


class DecidedError(Refused):
    """It isn't as its operator saw it: the text says what happened."""

    status = 409


@dataclass(frozen=True, slots=True)
class Seen:
    """A proposal as its operator saw it."""

    pk: int
    version: int


def approve(
    seen: Seen,
    *,
    by: User,
    predicate: str = "",
    object: str = "",
    batch: str = "",
    note: str = "",
    also_bad: bool = True,
) -> Decision:
    """Let the character learn it, as it stands or in these other words; hidden characters of them aren't learned.

    Raises `DecidedError`; `Refused` also where a verdict is bad and either there is no note that says why she learns it
    all the same, or `also_bad` is False.
    """

    def learn(row: Proposal) -> Names:
        row.predicate, row.object = predicate or row.predicate, learning.cleaned(object.strip() or row.object)
        retired = learning.corrected(row.character, predicate=row.predicate, object=row.object)
        for fact in retired:
            learning.change(fact, LearnedFact.State.ARCHIVED, by=by, reason=CORRECTED, batch=batch)
        row.learned = learning.learn(
            row.character, predicate=row.predicate, object=row.object, confidence=row.confidence
        )
        if refused := objections.names_private(row, row.learned.character.sheet):
            raise Refused(refused)
        if not (also_bad and learning.cleaned(note)) and (bad := objections.unreasoned(row.verdicts.all())):
            raise Refused(bad[row.pk])
        row.state, row.deferred_until = State.APPROVED, None
        return {RETIRED: [learning.graph_name(fact) for fact in retired]} if retired else {}

    return _decide(seen, Verb.APPROVED, learn, by=by, batch=batch, note=note)


def reject(seen: Seen, *, by: User, reason: str, note: str = "", batch: str = "") -> Decision:
    """Never learn it: said again, it stays rejected. Raises `DecidedError`."""

    def refuse(row: Proposal) -> Names:
        row.state, row.deferred_until = State.REJECTED, None
        return {}

    return _decide(seen, Verb.REJECTED, refuse, by=by, batch=batch, note=note, reason=reason)


def defer(seen: Seen, *, by: User, until: datetime | None, batch: str = "") -> Decision:
    """Let it wait until then; without a date, until it was said to somebody else. Raises `DecidedError`."""

    def wait(row: Proposal) -> Names:
        row.state, row.deferred_until = State.DEFERRED, until
        return {}

    return _decide(seen, Verb.DEFERRED, wait, by=by, batch=batch)


def resume(proposal: Proposal) -> None:
    """Let one wait again that was deferred until it is said to somebody else; the program does it, not an operator."""
    last = proposal.decisions.first()
    if last is not None and last.verb == Verb.DEFERRED:
        with suppress(DecidedError):  # decided otherwise, or taken back, meanwhile
            undo(last, by=None)


def undo(decision: Decision, *, by: User | None, batch: str = "") -> Proposal:
    """Take a decision back: the proposal waits again, and what was learned by it is learned no more.

    Raises `DecidedError` where it was undone already, or decided again since. Said again meanwhile it is undone all the
    same, and judged anew.
    """
    with locks.atomic(DecidedError):
        row = _standing(decision)
        now = _told(row)
        if decision.verb == Verb.APPROVED and row.learned:
            learning.change(row.learned, LearnedFact.State.TAKEN_BACK, by=by, reason="undone", batch=batch)
            _restore_retired(decision, by=by, batch=batch)
        before = decision.before
        row.predicate, row.object, row.state = before["predicate"], before["object"], State.OPEN
        row.deferred_until, row.decided_at, row.learned = None, None, None
        row.save(update_fields=_DECIDED)
        _record(row, "undid", now, by=by, batch=batch, undoes=_entry(decision, row))
        judge_again.delay_on_commit(row.pk)
    return row


def _restore_retired(decision: Decision, *, by: User | None, batch: str) -> None:
    """What an approval retired is in use again, unless it can't be: the sheet says otherwise by now, say."""
    pks = [name.partition(":")[2] for name in decision.after.get(RETIRED, [])]
    for fact in LearnedFact.objects.filter(pk__in=pks, state=LearnedFact.State.ARCHIVED):
        with suppress(Refused):
            learning.change(fact, LearnedFact.State.ACTIVE, by=by, reason="undone", batch=batch)


def _standing(decision: Decision) -> Proposal:
    """The proposal with which nothing else happens before the transaction ends. Raises `DecidedError`."""
    rows = Proposal.objects.filter(pk=decision.proposal_id).exclude(state=State.OPEN)
    is_decided = rows.update(version=F("version") + 1, reserved_by=None, reserved_until=None)
    last = Decision.objects.filter(proposal=decision.proposal_id).first()
    if last is None or last.pk != decision.pk or not is_decided or not _stands(last):
        raise DecidedError(_what_happened(Seen(decision.proposal_id, decision.version)))
    Decision.objects.filter(pk=decision.pk).update(undone_at=timezone.now())
    return Proposal.objects.select_related("character", "learned").defer("vector").get(pk=decision.proposal_id)


def _entry(decision: Decision, row: Proposal) -> Entry | None:
    """What the log says of a decision."""
    return Entry.objects.filter(subject=row.subject, verb=decision.verb).first()


def _decide(
    seen: Seen,
    verb: str,
    change: Callable[[Proposal], Names],
    *,
    by: User,
    batch: str,
    note: str = "",
    reason: str = "",
) -> Decision:
    with locks.atomic(DecidedError):
        row = _taken(seen, by)
        before = _told(row)
        more = change(row)
        row.decided_at = timezone.now()
        row.save(update_fields=[*_DECIDED, "version", "reserved_by", "reserved_until"])
        entry = {"verb": verb, "by": by, "batch": batch, "reason": reason, "note": note, "before": before}
        decision = Decision.objects.create(proposal=row, version=row.version, after=_told(row) | more, **entry)
        _record(row, verb, before, by=by, batch=batch, reason=reason, note=note)
    return decision


def _taken(seen: Seen, by: User) -> Proposal:
    """The proposal, which nobody else changes before the transaction ends. Raises `DecidedError`."""
    rows = Proposal.objects.undecided().select_for_update(of=("self",), no_key=True)
    as_seen = rows.select_related("character").defer("vector").filter(pk=seen.pk, version=seen.version)
    row = next(iter(as_seen), None)
    refused = why_not(seen, row, by=by)
    if row is None or refused:
        raise DecidedError(refused)
    row.version, row.reserved_by, row.reserved_until = row.version + 1, None, None
    return row


def why_not(seen: Seen, row: Proposal | None, *, by: User) -> str:
    """Why this operator can't decide on it as they saw it, as a sentence; empty where they can."""
    if row is None or not row.is_undecided or row.version != seen.version:
        return _what_happened(seen)
    if row.reserved_by_id not in {None, by.pk} and row.reserved_until and row.reserved_until > timezone.now():
        return f"{row.reserved_by} is reading this now. Wait, or ask them."
    return ""


def _what_happened(seen: Seen) -> str:
    row = Proposal.objects.filter(pk=seen.pk).first()
    if row is None:
        return "It is gone: the person with whom it was said was forgotten."
    last = row.decisions.select_related("by").first()
    saw_it = last is None or seen.version > last.version or (seen.version == last.version and _stands(last))
    if last is None or (saw_it and row.is_undecided):
        return "It was said again, or judged anew, meanwhile, so there is more to see. Look at it once more."
    what = f"{last.by or 'Somebody'} {last.verb} it" if _stands(last) else "The decision on it was undone"
    return f"{what} meanwhile, so nothing was done. Look at it once more."


def _stands(decision: Decision) -> bool:
    return decision.undone_at is None


def _told(row: Proposal) -> dict[str, Any]:
    told = {"state": row.state, "predicate": row.predicate, "object": row.object}
    if row.learned:
        told["learned"] = learning.graph_name(row.learned)
    if row.state == State.DEFERRED:
        told["until"] = row.deferred_until.isoformat() if row.deferred_until else SAID_TO_ANOTHER
    return told


def _record(
    row: Proposal,
    verb: str,
    before: dict[str, Any],
    *,
    by: User | None,
    batch: str,
    reason: str = "",
    note: str = "",
    undoes: Entry | None = None,
) -> None:
    act = Act(verb, row.subject, row.character.graph_id, before, _told(row), reason, note, undoes)
    record(act, actor=by, batch=batch, people=[person.pk for person in row.listeners])
