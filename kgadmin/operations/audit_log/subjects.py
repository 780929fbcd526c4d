"""Readable names and addresses of what the log names by ids such as "proposal:12", where it is still there."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
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

KINDS = {
    "account": "account",
    "acquaintance": "acquaintance",
    "base": "knowledge base",
    "character": "character",
    "conversation": "conversation",
    "document": "document",
    "entity": "entity",
    "import": "import",
    "key": "API key",
    "learned": "learned fact",
    "person": "person",
    "proposal": "proposal",
    "relation": "relation",
    "user_fact": "fact",
}


@dataclass(frozen=True, slots=True)
class Subject:
    """What was acted on: "proposal 12", "LOVES jazz". Without `url` it isn't there any more, or has no page."""

    label: str
    name: str = ""
    url: str = ""


def subjects(entries: Iterable[Entry]) -> dict[str, Subject]:
    """By their ids, by one statement for each kind of them."""
    shown = list(entries)
    ids = {entry.subject for entry in shown}
    found = {id: Subject(label(id)) for id in ids}
    for entry in shown:  # what isn't there any more has the name that the log keeps
        if name := kept_name(entry):
            found[entry.subject] = Subject(label(entry.subject), name)
    for kind, read in _READ.items():
        keys = [int(key) for name, _, key in (id.partition(":") for id in ids) if name == kind and key.isdecimal()]
        found |= {f"{kind}:{key}": subject for key, subject in (read(keys) if keys else {}).items()}
    return found


def label(id: str) -> str:
    """ "learned fact 5" for "learned:5"."""
    kind, _, key = id.partition(":")
    return f"{KINDS.get(kind, kind)} {key}".strip()


def is_id(text: str) -> bool:
    """Whether this names something as the log does."""
    kind, _, key = text.partition(":")
    return kind in KINDS and key.isdecimal()


def kept_name(entry: Entry) -> str:
    """What the entry's detail calls its subject."""
    told: dict[str, Any] = {**entry.detail.before, **entry.detail.after}
    return str(told.get("name") or f"{told.get('predicate', '')} {told.get('object', '')}".strip())


@dataclass(frozen=True, slots=True)
class _Rows:
    """Things of a kind: the columns that name one, and those that its page's address takes."""

    model: type[Model]
    names: tuple[str, ...]
    page: str = ""
    place: tuple[str, ...] = ("pk",)

    def of(self, kind: str, keys: list[int]) -> Mapping[int, Subject]:
        rows = self.model._default_manager.filter(pk__in=keys).values("pk", *self.names, *self.place)
        return {row["pk"]: Subject(label(f"{kind}:{row['pk']}"), self._name(row), self._url(row)) for row in rows}

    def _name(self, row: Mapping[str, Any]) -> str:
        return " ".join(str(row[name]) for name in self.names)

    def _url(self, row: Mapping[str, Any]) -> str:
        return reverse(self.page, args=[row[name] for name in self.place]) if self.page else ""


def _learned(keys: list[int]) -> Mapping[int, Subject]:
    rows = LearnedFact.objects.filter(pk__in=keys).select_related("predicate", "character").defer("vectors")
    return {row.pk: Subject(label(f"learned:{row.pk}"), str(row), _place(row)) for row in rows}


def _place(row: LearnedFact) -> str:
    if row.state == LearnedFact.State.TAKEN_BACK:
        return ""
    return f"{reverse('profiles:learned', args=[row.character.slug])}#learned-{row.pk}"


def _characters(keys: list[int]) -> Mapping[int, Subject]:
    rows = Character.objects.filter(pk__in=keys).only("slug", "name")
    return {row.pk: Subject("character", row.name, reverse("profiles:sheet", args=[row.slug])) for row in rows}


_ROWS = {
    "proposal": _Rows(Proposal, ("predicate", "object"), "review:proposal"),
    "person": _Rows(Person, ("name",), "people:person"),
    "user_fact": _Rows(UserFact, ("predicate", "text"), "people:fact", ("person_id", "pk")),
    "entity": _Rows(Entity, ("name",), "people:entity", ("person_id", "pk")),
    "import": _Rows(ConversationImport, ("name",), "imports:import"),
    "base": _Rows(KnowledgeBase, ("name",), "knowledge:base", ("slug",)),
    "document": _Rows(Document, ("name",), "knowledge:document", ("base__slug", "pk")),
    "account": _Rows(User, ("username",)),  # its page is for administrators, the log for operators
    "key": _Rows(ApiKey, ("client__name",)),
}
_READ: Mapping[str, Callable[[list[int]], Mapping[int, Subject]]] = {
    **{kind: partial(rows.of, kind) for kind, rows in _ROWS.items()},
    "learned": _learned,
    "character": _characters,
}
