"""From a turn on to everything that is remembered of what its message names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from characters.conversations.models import Conversation, Stage, Turn


@dataclass(frozen=True, slots=True)
class Asking:
    """A link to everything that is remembered of an entity."""

    name: str
    address: str


def asks(named: Iterable[Mapping[str, Any]], conversation: Conversation) -> list[Asking]:
    """One per entity of the person that a message names (`characters.turn.ambient.NamedEntity` as JSON)."""
    page = reverse("people:explore", args=[conversation.person_id])
    theirs = {each["id"]: each["name"] for each in named if each["whose"] == "person"}
    return [Asking(name, f"{page}?{_query(conversation, id_)}") for id_, name in theirs.items()]


def _query(conversation: Conversation, entity: str) -> str:
    return urlencode({"character": conversation.character.slug, "about": entity.partition(":")[2]})


def explored(conversation: Conversation, turns: Iterable[Turn]) -> dict[int, list[Asking]]:
    """By turn whose message asked what is remembered of something."""
    rows = Stage.objects.filter(turn__in=turns, name="ambient", evidence__explored=True)
    return {row.turn_id: asks(row.evidence["named"], conversation) for row in rows}
