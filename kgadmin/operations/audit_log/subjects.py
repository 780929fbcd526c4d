"""Readable names and addresses of what the log names by ids such as "proposal:12", where it is still there."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from characters.profiles.learned.models import LearnedFact
from characters.profiles.models import Character
from characters.review.models import Proposal
from kgadmin.audit.models import Entry

KINDS = {"proposal": "proposal", "learned": "learned fact", "character": "character", "person": "person"}


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
    return f"{told.get('predicate', '')} {told.get('object', '')}".strip()


def _proposals(keys: list[int]) -> Mapping[int, Subject]:
    rows = Proposal.objects.filter(pk__in=keys).only("predicate", "object")
    return {row.pk: Subject(label(row.subject), str(row), reverse("review:proposal", args=[row.pk])) for row in rows}


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


_READ: Mapping[str, Callable[[list[int]], Mapping[int, Subject]]] = {
    "proposal": _proposals,
    "learned": _learned,
    "character": _characters,
}
