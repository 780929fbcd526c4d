"""Entries of the audit log: filtered, grouped by action, with readable names and links."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Count, F, Max, Model, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.urls import reverse
from django.utils import timezone
from ninja import Field, Schema

from characters.conversations.models import ConversationImport, Person
from characters.memory.models import Entity, UserFact
from characters.profiles.models import Character, LearnedFact
from characters.review.decisions import REASONS
from characters.review.models import Proposal
from kgadmin.accounts.models import ApiKey, User
from kgadmin.audit.models import Entry
from kgadmin.knowledge.models import Document, KnowledgeBase
from kgadmin.rest.schemas import Slug, Text

_KINDS = {"base": "knowledge base", "key": "API key", "learned": "learned fact", "user_fact": "fact"}
"""Names of kinds that readers know by another name."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The object of an act, such as "proposal 12", "LOVES jazz". `url` is empty if it is gone or has no page."""

    label: str
    name: str = ""
    url: str = ""


def subjects(entries: Iterable[Entry]) -> dict[str, Subject]:
    """Return the objects of the entries, by id; one statement for each kind."""
    shown = list(entries)
    ids = {entry.subject for entry in shown}
    named = {id: Subject(label(id)) for id in ids}
    for entry in shown:  # for rows that are gone, use the name in the log
        if name := _logged_name(entry):
            named[entry.subject] = Subject(label(entry.subject), name)
    for kind, rows in _ROWS.items():
        keys = [int(key) for name, _, key in (id.partition(":") for id in ids) if name == kind and key.isdecimal()]
        named |= rows.read(kind, keys) if keys else {}
    return named


def label(id: str) -> str:
    """Return "learned fact 5" for "learned:5"."""
    kind, _, key = id.partition(":")
    return f"{_KINDS.get(kind, kind)} {key}".strip()


def is_id(text: str) -> bool:
    """Return whether this is an id as the log writes them."""
    kind, _, key = text.partition(":")
    return kind in _ROWS and key.isdecimal()


def _logged_name(entry: Entry) -> str:
    values: dict[str, Any] = {**entry.detail.before, **entry.detail.after}
    return str(values.get("name") or f"{values.get('predicate', '')} {values.get('object', '')}".strip())


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of a kind: the columns that name one, the page that shows it, and the columns of that page's address."""

    model: type[Model]
    names: tuple[str, ...]
    page: str = ""
    place: tuple[str, ...] = ("pk",)

    def read(self, kind: str, keys: list[int]) -> dict[str, Subject]:
        rows = self.model._default_manager.filter(pk__in=keys).values("pk", *self.names, *self.place)
        return {(id := f"{kind}:{row['pk']}"): self._subject(id, row) for row in rows}

    def _subject(self, id: str, row: Mapping[str, Any]) -> Subject:
        url = reverse(self.page, args=[row[column] for column in self.place]) if self.page else ""
        return Subject(label(id), " ".join(str(row[column]) for column in self.names), url)


_ROWS = {
    "account": _Rows(User, ("username",)),  # its page is for administrators, the log for operators
    "base": _Rows(KnowledgeBase, ("name",), "knowledge:base", ("slug",)),
    "character": _Rows(Character, ("name",), "profiles:sheet", ("slug",)),
    "document": _Rows(Document, ("name",), "knowledge:document", ("base__slug", "pk")),
    "entity": _Rows(Entity, ("name",), "people:entity", ("person_id", "pk")),
    "import": _Rows(ConversationImport, ("name",), "imports:import"),
    "key": _Rows(ApiKey, ("client__name",)),
    "learned": _Rows(LearnedFact, ("predicate__name", "object"), "profiles:learned", ("character__slug",)),
    "person": _Rows(Person, ("name",), "people:person"),
    "proposal": _Rows(Proposal, ("predicate", "object"), "review:proposal"),
    "user_fact": _Rows(UserFact, ("predicate", "text"), "people:fact", ("person_id", "pk")),
}


PROGRAM = "kgadmin"
"""Actor's name for what the program did by itself."""
MEMBERS_SHOWN = 20
"""Acts of an action that its row shows; a page of its own has all of them."""
WHY = REASONS | {
    "led": REASONS["elicited"],  # of older entries, which nothing changes
    "decay": "It was rarely used",
    "promoted": "The sheet now says it",
    "undone": "Its approval was undone",
    "forgotten": "Someone it was said to was forgotten",
}
LABELS = {"verb": "Action", "subject": "Object", "first_day": "From", "last_day": "To"}
"""Labels of the fields of `AuditFilter`."""
_ABOUT = ("predicate", "object", "name")
"""Values that name the object, shown even if they don't change."""


class AuditFilter(Schema):
    """Filters of entries, from a page's address or the API; all are optional."""

    who: Text = Field("", max_length=150, examples=["operator"], description="An account's name, or kgadmin.")
    verb: Text = Field("", max_length=30, examples=["approved"])
    character: Slug | None = Field(None, examples=["elena"])
    subject: Text = Field("", max_length=100, examples=["proposal:12"])
    batch: Text = Field("", max_length=40, examples=["5f0c9f0e4a6b4f5a8a3c0a4f3f1d2b6c"])
    first_day: date | None = Field(None, examples=["2026-11-01"])
    last_day: date | None = Field(None, examples=["2026-11-30"])


class EntryOut(Schema):
    """One act. Nobody changes or deletes it; forgetting a person or a fact empties what it says of that."""

    id: int = Field(examples=[12])
    at: datetime
    who: str = Field(
        examples=["operator"], description="The account's name at that time; kgadmin for the program itself."
    )
    verb: str = Field(examples=["approved"])
    subject: str = Field(examples=["proposal:12"], description="What was changed, as kind and id.")
    character: str = Field(examples=["character:3"], description="Whom it is about, if anyone.")
    reason: str = Field(examples=["Too vague to be useful"])
    note: str = Field(alias="detail.note", examples=["He asked for it."])
    before: dict[str, Any] = Field(alias="detail.before", examples=[{"state": "open"}])
    after: dict[str, Any] = Field(alias="detail.after", examples=[{"state": "approved"}])
    batch: str = Field(examples=["5f0c9f0e4a6b4f5a8a3c0a4f3f1d2b6c"], description="Entries of one batch share it.")
    undoes: int | None = Field(None, alias="undoes_id", examples=[7], description="The entry it undoes, if known.")
    emptied_at: datetime | None = Field(
        None, alias="detail.redacted_at", description="When its text was emptied: its content was forgotten."
    )

    @staticmethod
    def resolve_who(row: Entry) -> str:
        return row.actor or PROGRAM

    @staticmethod
    def resolve_reason(row: Entry) -> str:
        return WHY.get(row.reason, row.reason)


@dataclass(frozen=True, slots=True)
class Change:
    """A value that changed."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Act:
    """An entry as the page shows it."""

    entry: Entry
    who: str
    subject: Subject
    why: str
    note: str
    changes: tuple[Change, ...]
    is_emptied: bool
    """Whether its detail was emptied because its words were forgotten."""


@dataclass(frozen=True, slots=True)
class Press:
    """The acts of one action: a single act, or those of a batch."""

    acts: list[Act]
    verbs: Mapping[str, int]
    """Number of acts by verb."""

    @property
    def head(self) -> Act:
        """Return the newest act."""
        return self.acts[0]

    @property
    def count(self) -> int:
        """Return how many acts there are."""
        return sum(self.verbs.values())

    @property
    def left_out(self) -> int:
        """Return how many acts aren't in `acts`."""
        return self.count - len(self.acts)


def entries(asked: AuditFilter) -> QuerySet[Entry]:
    """Return the entries that match, the newest first, with their details."""
    exact = {name: value for name in ("verb", "subject", "batch") if (value := getattr(asked, name))}
    if asked.who:
        exact["actor"] = "" if asked.who == PROGRAM else asked.who
    if asked.character:  # an unknown slug matches no entry
        character = Character.objects.filter(slug=asked.character).first()
        exact["character"] = character.graph_id if character else "character:0"
    rows = Entry.objects.filter(**exact).select_related("detail")
    if asked.first_day:
        rows = rows.filter(at__gte=_midnight(asked.first_day))
    if asked.last_day and asked.last_day < date.max:
        rows = rows.filter(at__lt=_midnight(asked.last_day + timedelta(days=1)))
    return rows


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def heads(rows: QuerySet[Entry]) -> QuerySet[Entry]:
    """Return of each action the newest of these entries, the newest first."""
    batched = rows.exclude(batch="").order_by().values("batch")
    return rows.filter(Q(batch="") | Q(pk__in=batched.annotate(newest=Max("pk")).values("newest")))


def acts_of(shown: list[Entry]) -> list[Act]:
    """Return the entries as the page shows them, each by itself."""
    names = subjects(shown)
    return [_act(entry, names) for entry in shown]


def presses(shown: list[Entry], rows: QuerySet[Entry]) -> list[Press]:
    """Return the actions of these newest entries, by a constant number of statements."""
    batches = {head.batch for head in shown} - {""}
    theirs = rows.filter(batch__in=batches)
    verbs: dict[str, dict[str, int]] = {}
    for batch, verb, count in theirs.order_by("verb").values_list("batch", "verb").annotate(Count("pk")):
        verbs.setdefault(batch, {})[verb] = count
    place = Window(RowNumber(), partition_by=F("batch"), order_by=F("pk").desc())
    newest = theirs.annotate(place=place).filter(place__lte=MEMBERS_SHOWN).values("pk")
    members = list(Entry.objects.filter(pk__in=[row["pk"] for row in newest]).select_related("detail"))
    names = subjects([*shown, *members])
    acts: dict[str, list[Act]] = {}
    for entry in members:
        acts.setdefault(entry.batch, []).append(_act(entry, names))
    return [Press(acts.get(head.batch) or [_act(head, names)], verbs.get(head.batch, {head.verb: 1})) for head in shown]


def _act(entry: Entry, names: Mapping[str, Subject]) -> Act:
    detail = entry.detail
    return Act(
        entry=entry,
        who=entry.actor or PROGRAM,
        subject=names[entry.subject],
        why=WHY.get(entry.reason, entry.reason),
        note=detail.note,
        changes=_changes(detail.before, detail.after),
        is_emptied=detail.redacted_at is not None,
    )


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    shown = [name for name in names if name not in _ABOUT or name in before]
    return tuple(Change(name.replace("_", " "), _text(before.get(name)), _text(after.get(name))) for name in shown)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return label(value) if is_id(value) else value
    return json.dumps(value, ensure_ascii=False)


def actors() -> list[str]:
    """Return all actors."""
    names = Entry.objects.order_by("actor").values_list("actor", flat=True).distinct()
    return [name or PROGRAM for name in names]


def verbs() -> list[str]:
    """Return all verbs."""
    return list(Entry.objects.order_by("verb").values_list("verb", flat=True).distinct())
