"""What the chat's pages show: the turns of a branch."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.urls import reverse

from characters.conversations.models import Conversation, Stage, Turn
from playground.chat.learned import NOTHING, Learned, learned_in

SOURCES = frozenset(
    "identity persona examples lore client background primary supplemental memory connections history".split()
)
"""Sections of a prompt whose hue a turn's footer shows."""


@dataclass(frozen=True, slots=True)
class ExploreLink:
    """A link to everything that is remembered of an entity."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class TurnItem:
    """A turn in the chat."""

    number: int
    turn: Turn
    tries: int
    """Turns on the same message, this one included."""
    current: bool = False
    last: bool = False
    """Whether nothing was said after it."""
    learned: Learned = NOTHING
    explore_links: list[ExploreLink] = field(default_factory=list)
    """One per entity of which the message asks what is remembered."""

    @property
    def sources(self) -> list[str]:
        """What went into the prompt, in its order, each once."""
        sections = self.turn.prompt.get("sections", [])
        return list(dict.fromkeys(each["name"] for each in sections if each["name"] in SOURCES))

    @property
    def failed_stages(self) -> int:
        """How many of its stages failed."""
        return sum(stage.status == "failed" for stage in self.turn.stages.all())


def items(conversation: Conversation, current: Turn | None = None) -> list[TurnItem]:
    """The turns of the newest branch; per message its newest turn, or `current`, the one whose trace is shown."""
    turns = Turn.objects.for_list().filter(message__conversation=conversation)
    by_message: dict[int, list[Turn]] = {}
    for turn in turns:
        by_message.setdefault(turn.message_id, []).append(turn)
    path = [message for message in conversation.path() if message.pk in by_message]
    learned = learned_in(conversation, path)
    explored = Stage.objects.filter(turn__in=turns, name="ambient", evidence__explored=True)
    links = {stage.turn_id: explore_links(stage.evidence["named"], conversation) for stage in explored}
    listed: list[TurnItem] = []
    for number, message in enumerate(path, 1):
        tries = by_message[message.pk]
        turn = current if current and current.message_id == message.pk else tries[-1]
        new, is_last = learned.get(message.pk, NOTHING), number == len(path)
        listed.append(TurnItem(number, turn, len(tries), turn is current, is_last, new, links.get(turn.pk, [])))
    return listed


def explore_links(named: Iterable[Mapping[str, Any]], conversation: Conversation) -> list[ExploreLink]:
    """One per entity of the person that a message names (`characters.turn.ambient.NamedEntity` as JSON)."""
    page = reverse("people:explore", args=[conversation.person_id])
    theirs = {entity["id"]: entity["name"] for entity in named if entity["whose"] == "person"}
    slug = conversation.character.slug
    return [
        ExploreLink(name, f"{page}?{urlencode({'character': slug, 'about': id_.partition(':')[2]})}")
        for id_, name in theirs.items()
    ]


def form_key() -> str:
    """A key that makes sending the same form twice one turn."""
    return uuid4().hex
