"""Write the log, and empty what it says about a forgotten person."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.db.models import Q, QuerySet
from django.utils import timezone

from kgadmin.accounts.models import User
from kgadmin.audit.models import Concern, Detail, Entry


@dataclass(frozen=True, slots=True)
class Act:
    """What was done to what: `subject` and `character` are ids with their kind, such as "proposal:12"."""

    verb: str
    subject: str
    character: str = ""
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    note: str = ""
    undoes: Entry | None = None


def record(act: Act, *, actor: User | None, batch: str = "", people: Iterable[int] = ()) -> Entry:
    """Record what `actor` did; call it in the same transaction. `people` are the ids of the people it concerns."""
    entry = Entry.objects.create(
        actor_id=actor.pk if actor else None,
        actor=actor.get_username() if actor else "",
        verb=act.verb,
        subject=act.subject,
        character=act.character,
        reason=act.reason,
        batch=batch,
        undoes=act.undoes,
    )
    Detail.objects.create(entry=entry, before=dict(act.before), after=dict(act.after), note=act.note)
    Concern.objects.bulk_create(Concern(entry=entry, person_id=person) for person in sorted(set(people)))
    return entry


def new_batch() -> str:
    """Return a name that joins the acts of one action."""
    return uuid4().hex


def redact(person_id: int) -> int:
    """Empty the details of entries that concern this person; return how many. The entries stay."""
    return _empty(Detail.objects.filter(entry__concerns__person_id=person_id))


def redact_subjects(subjects: Iterable[str]) -> int:
    """Empty the details of entries on these subjects; return how many."""
    return _empty(Detail.objects.filter(entry__subject__in=list(subjects)))


def redact_entries(entries: Iterable[int]) -> int:
    """Empty the details of these entries; return how many."""
    return _empty(Detail.objects.filter(entry__in=list(entries)))


def redact_notes(batches: Iterable[str], subjects: Iterable[str]) -> int:
    """Empty the details with a note of entries of these batches and on these subjects; return how many."""
    theirs = Q(entry__batch__in=list(batches)) | Q(entry__subject__in=list(subjects))
    return _empty(Detail.objects.filter(theirs).exclude(note=""))


def _empty(rows: QuerySet[Detail]) -> int:
    return rows.filter(redacted_at=None).update(before={}, after={}, note="", redacted_at=timezone.now())
