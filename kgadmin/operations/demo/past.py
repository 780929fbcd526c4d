"""The demo's people, and what they and the characters said to each other before the first start.

`people/NAME.yaml` holds somebody's conversations, dated by how many days before the first load they were had. They come
in through the doors of an import, so they are read for facts, connected and projected like anybody's.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from ruamel.yaml import YAML

from characters.conversations import importing, imports
from characters.conversations.export_formats import Exported
from characters.conversations.importing import REAL_PEOPLE
from characters.conversations.models import Message, Person
from characters.conversations.plan import plan
from characters.memory.enrichment import services as enrichment
from characters.memory.models import EnrichmentRun
from characters.profiles.models import Character
from kgadmin.accounts.models import User

HERE = Path(__file__).parent / "people"
BETWEEN = timedelta(minutes=2)
"""One message and the next."""
RELATED = ("mark", "elena")
"""Whose messages are connected at once, by cues and without a model: the other ones are left to an operator."""


class Talk(NamedTuple):
    """One conversation as it is written down."""

    id: str
    character: str
    days_ago: int
    at: time
    said: list[tuple[str, str]]
    """Who, and what."""


class Past(NamedTuple):
    """A person of the demo."""

    slug: str
    name: str
    namespace: str
    talks: list[Talk]


def people_files() -> list[Path]:
    """The shipped people."""
    return sorted(HERE.glob("*.yaml"))


def read_past(path: Path) -> Past:
    """What a person's file says."""
    content = YAML(typ="safe").load(path.read_text())
    return Past(path.stem, content["name"], content["namespace"], [_talk(each) for each in content["conversations"]])


def _talk(content: dict[str, Any]) -> Talk:
    said = [(name, text.strip()) for each in content["said"] for name, text in each.items()]
    return Talk(content["id"], content["with"], content["days_ago"], time.fromisoformat(content["time"]), said)


def load_person(path: Path, owner: User) -> str:
    """Put a person's past in, or what of it is missing. A second load keeps the dates of the first."""
    past = read_past(path)
    outside_id = past.name if past.namespace == REAL_PEOPLE else past.slug
    person, _ = Person.objects.get_or_create(
        namespace=past.namespace, outside_id=outside_id, defaults={"name": past.name}
    )
    before = Message.objects.filter(conversation__person=person).count()
    missing = [each for each in past.talks if not _is_there(person, each)]
    if past.namespace == REAL_PEOPLE:
        _upload(past, missing, person, owner)
    else:
        _put(past, missing, person, owner)
    if not missing:
        return f"person {past.name}: their {before} messages are there"
    if past.slug == RELATED[0]:
        _relate(person, owner)
    return f"person {past.name}: {len(missing)} conversations wait to be read"


def _is_there(person: Person, talk: Talk) -> bool:
    rows = Message.objects.filter(conversation__person=person, conversation__outside_id=talk.id)
    return rows.count() == len(talk.said)


def _put(past: Past, talks: list[Talk], person: Person, owner: User) -> None:
    """A test person's, in the load's own commit."""
    for talk in talks:
        (planned,) = plan(_exported(past, talk, person.created_at), end=person.created_at)
        character = Character.objects.get(slug=talk.character)
        importing.put(planned, planned.messages, character=character, person=person, owner=owner)


def _upload(past: Past, talks: list[Talk], person: Person, owner: User) -> None:
    """A real person's, as files that an operator uploads and starts."""
    for slug in sorted({talk.character for talk in talks}):
        lines = [
            _as_line(message)
            for talk in talks
            if talk.character == slug
            for message in _exported(past, talk, person.created_at)
        ]
        found = imports.upload(name=f"{past.slug}.jsonl", content="\n".join(lines).encode(), by=owner)
        imports.start(found=found, character=Character.objects.get(slug=slug), person=person, by=owner)


def _exported(past: Past, talk: Talk, loaded: datetime) -> Iterator[Exported]:
    began = datetime.combine(loaded.astimezone(UTC).date(), talk.at, UTC) - timedelta(days=talk.days_ago)
    for place, (name, text) in enumerate(talk.said):
        role = "user" if name == past.name.split()[0] else "assistant"
        yield Exported(place + 1, talk.id, role, text, began + place * BETWEEN, name)  # type: ignore[arg-type]


def _as_line(message: Exported) -> str:
    assert message.at is not None  # noqa: S101  the demo's messages have dates
    return json.dumps(
        {
            "conversation": message.conversation,
            "role": message.role,
            "name": message.name,
            "text": message.text,
            "at": message.at.isoformat(),
        },
        ensure_ascii=False,
    )


def _relate(person: Person, owner: User) -> None:
    character = Character.objects.get(slug=RELATED[1])
    if not EnrichmentRun.objects.filter(person=person, character=character).exists():
        enrichment.start(EnrichmentRun(person=person, character=character), by=owner)
