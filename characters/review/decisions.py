"""Decide on proposals, and undo decisions. Every decision is one row, and an entry of the audit log.

A decision names the version of the proposal that its operator saw, and locks its row at that version: of two
decisions at the same moment one is made, and the other is refused with a sentence that says what happened.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F
from django.utils import timezone

from characters.profiles.learned import services as learning
from characters.profiles.models import LearnedFact
from characters.review import objections
from characters.review.models import Decision, Proposal
from characters.review.tasks import judge_again
from kgadmin import locks
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from kgadmin.audit.services import Act, record
from kgadmin.rest.actions import Refused

REASONS = {
    "contradicts": "Contradicts the character",
    "once": "True only in that conversation",
    "elicited": "Elicited by the person",
    "vague": "Too vague to be useful",
    "other": "Another reason",
}
State, Verb = Proposal.State, Decision.Verb
CORRECTED, RETIRED = "corrected", "retired"
"""Reason for archiving a learned fact that an approval contradicts, and the decision's key that lists such facts."""
NO_DATE = "said to someone else"
"""Date of a deferral without a date."""
Names = dict[str, list[str]]
_DECIDED = ("predicate", "object", "state", "deferred_until", "decided_at", "learned")


class DecidedError(Refused):
    """The proposal isn't as its operator saw it; the text says what happened."""

    status = 409


@dataclass(frozen=True, slots=True)
class ProposalVersion:
    """A proposal as its operator saw it."""

    pk: int
    version: int


def approve(
    target: ProposalVersion,
    *,
    by: User,
    predicate: str = "",
    object: str = "",
    batch: str = "",
    note: str = "",
    also_bad: bool = True,
) -> Decision:
    """Let the character learn it, as it stands or with this predicate and object; hidden characters aren't learned.

    Raises `DecidedError`, and `Refused` where it can't be learned, or where a verdict is bad and there is no note that
    says why it is learned all the same, or `also_bad` is False.
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

    return _decide(target, Verb.APPROVED, learn, by=by, batch=batch, note=note)


def reject(target: ProposalVersion, *, by: User, reason: str, note: str = "", batch: str = "") -> Decision:
    """Reject the statement for good: repeated, it stays rejected. Raises `DecidedError`."""

    def refuse(row: Proposal) -> Names:
        row.state, row.deferred_until = State.REJECTED, None
        return {}

    return _decide(target, Verb.REJECTED, refuse, by=by, batch=batch, note=note, reason=reason)


def defer(target: ProposalVersion, *, by: User, until: datetime | None, batch: str = "") -> Decision:
    """Defer the proposal until then; without a date, until it is said to somebody else. Raises `DecidedError`."""

    def wait(row: Proposal) -> Names:
        row.state, row.deferred_until = State.DEFERRED, until
        return {}

    return _decide(target, Verb.DEFERRED, wait, by=by, batch=batch)


def resume(proposal: Proposal) -> None:
    """End a deferral that waited for another person; the program does it, not an operator."""
    last = proposal.decisions.first()
    if last is not None and last.verb == Verb.DEFERRED:
        with suppress(DecidedError):  # decided otherwise, or undone, in the meantime
            undo(last, by=None)


def undo(decision: Decision, *, by: User | None, batch: str = "") -> Proposal:
    """Undo a decision: the proposal waits again and is judged anew, and its learned fact is withdrawn.

    Raises `DecidedError` if it was undone already, or decided again since.
    """
    with locks.atomic(DecidedError):
        row = _standing(decision)
        now = _values(row)
        if decision.verb == Verb.APPROVED and row.learned:
            learning.change(row.learned, LearnedFact.State.TAKEN_BACK, by=by, reason="undone", batch=batch)
            _restore_retired(decision, by=by, batch=batch)
        before = decision.before
        row.predicate, row.object, row.state = before["predicate"], before["object"], State.OPEN
        row.deferred_until, row.decided_at, row.learned = None, None, None
        row.save(update_fields=_DECIDED)
        undoes = Entry.objects.filter(subject=row.subject, verb=decision.verb).first()
        act = Act("undid", row.subject, row.character.graph_id, now, _values(row), undoes=undoes)
        record(act, actor=by, batch=batch, people=_people(row))
        judge_again.delay_on_commit(row.pk)
    return row


def _restore_retired(decision: Decision, *, by: User | None, batch: str) -> None:
    """Restore the facts that an approval archived, where possible: the sheet may contradict them now."""
    pks = [name.partition(":")[2] for name in decision.after.get(RETIRED, [])]
    for fact in LearnedFact.objects.filter(pk__in=pks, state=LearnedFact.State.ARCHIVED):
        with suppress(Refused):
            learning.change(fact, LearnedFact.State.ACTIVE, by=by, reason="undone", batch=batch)


def _standing(decision: Decision) -> Proposal:
    """Return the proposal of a standing decision, locked until the transaction ends. Raises `DecidedError`."""
    rows = Proposal.objects.filter(pk=decision.proposal_id).exclude(state=State.OPEN)
    is_decided = rows.update(version=F("version") + 1, reserved_by=None, reserved_until=None)
    last = Decision.objects.filter(proposal=decision.proposal_id).first()
    if last is None or last.pk != decision.pk or not is_decided or last.undone_at:
        raise DecidedError(_what_happened(ProposalVersion(decision.proposal_id, decision.version)))
    Decision.objects.filter(pk=decision.pk).update(undone_at=timezone.now())
    return Proposal.objects.select_related("character", "learned").defer("vector").get(pk=decision.proposal_id)


def _decide(
    target: ProposalVersion,
    verb: str,
    change: Callable[[Proposal], Names],
    *,
    by: User,
    batch: str,
    note: str = "",
    reason: str = "",
) -> Decision:
    with locks.atomic(DecidedError):
        row = _locked(target, by)
        before = _values(row)
        more = change(row)
        row.decided_at = timezone.now()
        row.save(update_fields=[*_DECIDED, "version", "reserved_by", "reserved_until"])
        entry = {"verb": verb, "by": by, "batch": batch, "reason": reason, "note": note, "before": before}
        decision = Decision.objects.create(proposal=row, version=row.version, after=_values(row) | more, **entry)
        act = Act(verb, row.subject, row.character.graph_id, before, _values(row), reason, note)
        record(act, actor=by, batch=batch, people=_people(row))
    return decision


def _locked(target: ProposalVersion, by: User) -> Proposal:
    """Return the proposal, locked until the transaction ends. Raises `DecidedError`."""
    rows = Proposal.objects.undecided().select_for_update(of=("self",), no_key=True)
    at_version = rows.select_related("character").defer("vector").filter(pk=target.pk, version=target.version)
    row = next(iter(at_version), None)
    refused = why_not(target, row, by=by)
    if row is None or refused:
        raise DecidedError(refused)
    row.version, row.reserved_by, row.reserved_until = row.version + 1, None, None
    return row


def why_not(target: ProposalVersion, row: Proposal | None, *, by: User) -> str:
    """Return why this operator can't decide on the version that they saw, as a sentence; empty if they can."""
    if row is None or not row.is_undecided or row.version != target.version:
        return _what_happened(target)
    return f"{row.reader} is reviewing this now. Wait, or ask them." if row.reader not in {None, by} else ""


def _what_happened(target: ProposalVersion) -> str:
    row = Proposal.objects.filter(pk=target.pk).first()
    if row is None:
        return "It is gone: the person to whom it was said was forgotten."
    last = row.decisions.select_related("by").first()
    saw_it = last and (target.version > last.version or (target.version == last.version and not last.undone_at))
    if last is None or (saw_it and row.is_undecided):
        return "It was said again, or judged anew, in the meantime. Look at it again."
    what = "Its decision was undone" if last.undone_at else f"{last.by or 'Someone'} {last.verb} it"
    return f"{what} in the meantime, so nothing was done. Look at it again."


def _values(row: Proposal) -> dict[str, Any]:
    """Return the values that a decision changes, as the decision and the audit log store them."""
    values = {"state": row.state, "predicate": row.predicate, "object": row.object}
    if row.learned:
        values["learned"] = learning.graph_name(row.learned)
    if row.state == State.DEFERRED:
        values["until"] = row.deferred_until.isoformat() if row.deferred_until else NO_DATE
    return values


def _people(row: Proposal) -> list[int]:
    return [person.pk for person in row.listeners]
