"""The demo's people, and what they and the characters said to each other before the first start.

`people/NAME.yaml` holds somebody's conversations, dated by how many days before the first load they were had. They are
imported, so they are read for facts, connected and projected like anybody's. `spoken/NAME.yaml` holds turns that a
language model answered, so that the review queue has something in it: they are saved as the playground saves them, and
whether something becomes a proposal is up to the gate.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from ruamel.yaml import YAML

from characters.conversations import import_job, imports, services
from characters.conversations.exports import Exported
from characters.conversations.models import IMPORTED, Conversation, Message, Person, Turn
from characters.memory.enrichment import services as enrichment
from characters.memory.models import EnrichmentRun
from characters.profiles.models import Character
from kgadmin.accounts.models import User

HERE = Path(__file__).parent
TEST_PEOPLE = "tester:all"
BETWEEN = timedelta(minutes=2)
"""One message and the next."""
RELATED = ("mark", "elena")
"""Whose messages are connected at once, by cues and without a model: the other ones are left to an operator."""
MODEL = "a language model"


class Talk(NamedTuple):
    """One conversation as it is written down; `messages` are (name, text)."""

    id: str
    character: str
    messages: list[tuple[str, str]]
    days_ago: int
    at: time

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """What was asked, and what was answered."""
        texts = [text for _, text in self.messages]
        return list(zip(texts[::2], texts[1::2], strict=True))


class DemoPerson(NamedTuple):
    """A person of the demo."""

    slug: str
    name: str
    namespace: str
    talks: list[Talk]

    def row(self) -> Person:
        """The person in the database; a second load keeps the dates of the first."""
        outside_id = self.name if self.namespace == IMPORTED else self.slug
        return Person.objects.get_or_create(
            namespace=self.namespace, outside_id=outside_id, defaults={"name": self.name}
        )[0]


def people_files() -> list[Path]:
    """Those whose past is imported."""
    return sorted((HERE / "people").glob("*.yaml"))


def spoken_files() -> list[Path]:
    """Those whose conversations are saved as turns."""
    return sorted((HERE / "spoken").glob("*.yaml"))


def read_person(path: Path) -> DemoPerson:
    """What a person's file says."""
    content = YAML(typ="safe").load(path.read_text())
    talks = [_talk(talk) for talk in content["conversations"]]
    return DemoPerson(path.stem, content["name"], content.get("namespace", TEST_PEOPLE), talks)


def _talk(content: dict[str, Any]) -> Talk:
    messages = [(name, text.strip()) for lines in content["messages"] for name, text in lines.items()]
    at = time.fromisoformat(content.get("time", "12:00"))
    return Talk(content["id"], content["with"], messages, content.get("days_ago", 0), at)


def load_past(path: Path, owner: User) -> str:
    """Import a person's past, or what of it is missing."""
    shipped = read_person(path)
    person = shipped.row()
    before = Message.objects.filter(conversation__person=person).count()
    missing = [talk for talk in shipped.talks if not _is_there(person, talk)]
    if shipped.namespace == IMPORTED:
        _upload(shipped, missing, person, owner)
    else:
        _put(shipped, missing, person, owner)
    if not missing:
        return f"person {shipped.name}: their {before} messages are there"
    if shipped.slug == RELATED[0]:
        _relate(person, owner)
    return f"person {shipped.name}: {len(missing)} conversations wait to be read"


def _is_there(person: Person, talk: Talk) -> bool:
    rows = Message.objects.filter(conversation__person=person, conversation__outside_id=talk.id)
    return rows.count() == len(talk.messages)


def _put(shipped: DemoPerson, talks: list[Talk], person: Person, owner: User) -> None:
    for talk in talks:
        (planned,) = import_job.plan(_exported(shipped, talk, person.created_at), end=person.created_at)
        character = Character.objects.get(slug=talk.character)
        import_job.put(planned, planned.messages, character=character, person=person, owner=owner)


def _upload(shipped: DemoPerson, talks: list[Talk], person: Person, owner: User) -> None:
    for slug in sorted({talk.character for talk in talks}):
        lines = [
            _as_line(message)
            for talk in talks
            if talk.character == slug
            for message in _exported(shipped, talk, person.created_at)
        ]
        upload = imports.upload(name=f"{shipped.slug}.jsonl", content="\n".join(lines).encode(), by=owner)
        imports.start(import_=upload, character=Character.objects.get(slug=slug), person=person, by=owner)


def _exported(shipped: DemoPerson, talk: Talk, loaded: datetime) -> Iterator[Exported]:
    began = datetime.combine(loaded.astimezone(UTC).date(), talk.at, UTC) - timedelta(days=talk.days_ago)
    for place, (name, text) in enumerate(talk.messages):
        role = "user" if name == shipped.name.split()[0] else "assistant"
        yield Exported(place + 1, talk.id, role, text, began + place * BETWEEN, name)  # type: ignore[arg-type]


def _as_line(message: Exported) -> str:
    names = ("conversation", "role", "name", "text", "at")
    return json.dumps({name: getattr(message, name) for name in names}, ensure_ascii=False, default=str)


def _relate(person: Person, owner: User) -> None:
    character = Character.objects.get(slug=RELATED[1])
    if not EnrichmentRun.objects.filter(person=person, character=character).exists():
        enrichment.start(EnrichmentRun(person=person, character=character), by=owner)


def load_turns(path: Path, owner: User) -> str:
    """Save the turns that are missing; a second load says nothing again."""
    shipped = read_person(path)
    person = shipped.row()
    missing = sum(_save_turns(shipped, talk, person, owner) for talk in shipped.talks)
    if not missing:
        return f"person {shipped.name}: their {sum(len(talk.pairs) for talk in shipped.talks)} turns are there"
    return f"person {shipped.name}: {missing} turns wait to be read"


def _save_turns(shipped: DemoPerson, talk: Talk, person: Person, owner: User) -> int:
    conversation: Conversation | None = None
    missing = 0
    for place, (asked, answered) in enumerate(talk.pairs):
        key = f"demo-{shipped.slug}-{talk.id}-{place}"
        if there := Turn.objects.filter(key=key).select_related("message__conversation").first():
            conversation = there.conversation
            continue
        missing += 1
        character = Character.objects.get(slug=talk.character)
        conversation = conversation or services.start_conversation(
            character=character, by=owner, first=asked, person=person
        )
        turn, _ = services.start_turn(conversation=conversation, text=asked, key=key)
        turn.model = MODEL
        turn.save(update_fields=["model"])
        turn.finish(Turn.State.DONE, answered)
        services.enqueue_for_memory(conversation=conversation, messages=[turn.message, *turn.message.children.all()])
    return missing
