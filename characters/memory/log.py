"""What the audit log says of facts and entities, and emptying it where they are forgotten."""

from collections.abc import Collection, Mapping

from characters.memory.models import Entity, UserFact
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from kgadmin.audit.services import Act, record, redact_subjects

MERGED = "merged"
Words = Mapping[str, str]


def write(
    verb: str, of: UserFact | Entity, *, by: User | None, before: Words | None = None, after: Words | None = None
) -> None:
    """What `by` did to what is known of a person; whoever forgets the person empties it."""
    character = of.character.graph_id if isinstance(of, UserFact) else ""
    act = Act(verb, of.graph_id, character, before=before or {}, after=after or {})
    record(act, actor=by, people=[of.person_id])


def empty(person_id: int, names: Collection[str]) -> None:
    """Empty what the log says of these facts and entities of a person, and of what was merged into them."""
    merged = Entry.objects.filter(concerns__person_id=person_id, verb=MERGED)
    found, every = set(names), set(names)
    while found:
        found = set(merged.filter(detail__after__into__in=list(found)).values_list("subject", flat=True)) - every
        every |= found
    redact_subjects(every)
