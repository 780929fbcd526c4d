"""Readable names and addresses of what the log names by ids such as "proposal:12", where it is still there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Model
from django.urls import reverse

from characters.conversations.models import ConversationImport, Person
from characters.memory.models import Entity, UserFact
from characters.profiles.learned.models import LearnedFact
from characters.profiles.models import Character
from characters.review.models import Proposal
from kgadmin.accounts.models import ApiKey, User
from kgadmin.audit.models import Entry
from kgadmin.knowledge.models import Document, KnowledgeBase

LABELS = {"base": "knowledge base", "key": "API key", "learned": "learned fact", "user_fact": "fact"}
"""Of kinds that a reader knows by another name."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What was acted on: "proposal 12", "LOVES jazz". Without `url` it isn't there any more, or has no page."""

    label: str
    name: str = ""
    url: str = ""


def subjects(entries: Iterable[Entry]) -> dict[str, Subject]:
    """What the entries are about, by id; one statement for each kind."""
    shown = list(entries)
    ids = {entry.subject for entry in shown}
    named = {id: Subject(label(id)) for id in ids}
    for entry in shown:  # what isn't there any more has the name that the log keeps
        if name := _logged_name(entry):
            named[entry.subject] = Subject(label(entry.subject), name)
    for kind, rows in _ROWS.items():
        keys = [int(key) for name, _, key in (id.partition(":") for id in ids) if name == kind and key.isdecimal()]
        named |= rows.read(kind, keys) if keys else {}
    return named


def label(id: str) -> str:
    """ "learned fact 5" for "learned:5"."""
    kind, _, key = id.partition(":")
    return f"{LABELS.get(kind, kind)} {key}".strip()


def is_id(text: str) -> bool:
    """Whether this names something as the log does."""
    kind, _, key = text.partition(":")
    return kind in _ROWS and key.isdecimal()


def _logged_name(entry: Entry) -> str:
    values: dict[str, Any] = {**entry.detail.before, **entry.detail.after}
    return str(values.get("name") or f"{values.get('predicate', '')} {values.get('object', '')}".strip())


@dataclass(frozen=True, slots=True)
class _Rows:
    """Things of a kind: the columns that name one, the page that shows it, and the columns of that page's address."""

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
