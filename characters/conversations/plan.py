"""An export's conversations as they will be saved: each message with a key, a date and its place."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from characters.conversations import services
from characters.conversations.export_formats import Exported, Role

SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class PlannedMessage:
    """A message as it will be saved; `key` is the same in every export that holds it."""

    key: str
    role: Role
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PlannedConversation:
    """A conversation as it will be saved. `person` is the person's id in the export, empty where it names none."""

    outside_id: str
    person: str
    name: str
    messages: tuple[PlannedMessage, ...]

    @property
    def title(self) -> str:
        """Its first message's beginning."""
        first = next((each for each in self.messages if each.role == "user"), self.messages[0])
        return services.titled(first.text)


def plan(messages: Iterable[Exported], end: datetime) -> list[PlannedConversation]:
    """The conversations of an export, oldest first. Messages without a date get one, `end` at the latest."""
    groups: dict[str, list[Exported]] = {}
    for message in messages:
        groups.setdefault(message.conversation, []).append(message)
    conversations = [_conversation(outside_id, group, end) for outside_id, group in groups.items()]
    return sorted(conversations, key=lambda each: each.messages[0].at)


def _conversation(outside_id: str, group: Sequence[Exported], end: datetime) -> PlannedConversation:
    keys = _keys(outside_id, group)
    return PlannedConversation(
        outside_id=outside_id,
        person=next((each.person for each in group if each.person), ""),
        name=next((each.name for each in group if each.role == "user" and each.name), ""),
        messages=tuple(
            PlannedMessage(key, message.role, message.text, at)
            for key, message, at in zip(keys, group, _dates(group, end), strict=True)
        ),
    )


def _keys(outside_id: str, group: Sequence[Exported]) -> Iterator[str]:
    """By what a message says, and when; the same "yes" twice is told apart by how many came before it."""
    counts: Counter[str] = Counter()
    for message in group:
        content = "\0".join((outside_id, message.role, message.at.isoformat() if message.at else "", message.text))
        counts[content] += 1
        yield hashlib.sha256(f"{counts[content]}\0{content}".encode()).hexdigest()


def _dates(group: Sequence[Exported], end: datetime) -> Iterator[datetime]:
    """Each message's own date; else a second after the message before it."""
    place, first = next(((place, each.at) for place, each in enumerate(group) if each.at), (len(group), end))
    at = first - SECOND * (place + 1)
    for message in group:
        at = message.at or at + SECOND
        yield at
