"""For tests of what is remembered: a person with messages, entities, facts and relations, as rows."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction

from characters.conversations import services as conversations
from characters.conversations.models import Conversation, Memory, Message, Person
from characters.domain.entities import key
from characters.domain.relations import CLASSES
from characters.memory.models import Alias, Entity, Evidence, Mention, Relation, Similarity, UserFact
from characters.profiles.models import Character
from kgadmin.accounts.models import User

BEGIN = datetime(2026, 1, 1, 12, tzinfo=UTC)
CLASS_NAMES = sorted(CLASSES)


def person(name: str = "Mark", outside_id: str = "") -> Person:
    return Person.objects.create(namespace="tester:all", outside_id=outside_id or name.lower(), name=name)


def conversation(of: Person, character: Character) -> Conversation:
    owner, _ = User.objects.get_or_create(username="somebody")
    return Conversation.objects.create(character=character, person=of, owner=owner)


def message(where: Conversation, text: str, *, answer: str = "", at: datetime = BEGIN) -> Message:
    """A message, remembered, and with `answer` the reply to it; somebody has looked at both and withheld nothing."""
    asked = Message.objects.create(conversation=where, role="user", text=text, at=at)
    both = [asked]
    if answer:
        both.append(Message.objects.create(conversation=where, parent=asked, role="assistant", text=answer, at=at))
    with transaction.atomic():
        conversations.enqueue_for_memory(conversation=where, messages=both)
        Message.objects.filter(pk__in=[each.pk for each in both]).become(Memory.QUOTABLE)
    return asked


def entity(of: Person, name: str, kind: str = "thing", *aliases: str) -> Entity:
    made = Entity.objects.create(person=of, key=key(name), name=name, kind=kind)
    Alias.objects.bulk_create(Alias(entity=made, key=key(alias), text=alias) for alias in aliases)
    return made


def mentions(message: Message, *entities: Entity) -> None:
    """Say that the message names them."""
    Mention.objects.bulk_create(Mention(message=message, entity=each) for each in entities)


def fact(
    character: Character, predicate: str, about: Entity, *, message: Message | None = None, span: str = "", **more: Any
) -> UserFact:
    """A fact, with the span of the message that says it."""
    certain = {"confidence": 0.9, "origin": UserFact.Origin.PATTERN, "first_seen": BEGIN, "last_seen": BEGIN}
    fields = {"person": about.person, "character": character, "text": about.name} | certain | more
    learned = UserFact.objects.create(predicate=predicate, object=about, **fields)
    if message:
        start = message.text.index(span)
        Evidence.objects.create(fact=learned, message=message, start=start, end=start + (len(span) or 1))
    return learned


def similar(earlier: Message, later: Message, score: float = 0.7) -> Similarity:
    return Similarity.objects.create(person=earlier.conversation.person, earlier=earlier, later=later, score=score)


def relation(earlier: Message, later: Message, name: str, status: str = "classified") -> Relation:
    return Relation.objects.create(
        person=earlier.conversation.person,
        character=earlier.conversation.character,
        earlier=earlier,
        later=later,
        relation=name,
        confidence=0.8,
        status=status,
    )


def changed(row: Message | Entity | UserFact | Similarity | Relation | Person, **fields: object) -> None:
    """Change a row."""
    type(row)._default_manager.filter(pk=row.pk).update(**fields)
    row.refresh_from_db()


@dataclass(slots=True)
class World:
    """A person whom a character knows, with a bit of everything."""

    person: Person
    character: Character
    conversation: Conversation
    messages: list[Message] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)
    facts: list[UserFact] = field(default_factory=list)
    similarities: list[Similarity] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)


def world(of: Person, character: Character, *, messages: int = 12, marker: str = "", seed: int = 7) -> World:
    """`messages` messages with replies; every text and name of theirs holds `marker`."""
    choose = random.Random(seed)
    made = World(of, character, conversation(of, character))
    names = ("Luna", "Sol", "Seattle", "the boat", "chess")
    made.entities = [entity(of, f"{name} {marker}".strip()) for name in names]
    for number in range(messages):
        at = BEGIN + timedelta(hours=number)
        text = f"Number {number} {marker}: I told you of {choose.choice(names)}."
        remembered = message(made.conversation, text, answer=f"I remember {number} {marker}.", at=at)
        mentions(remembered, *choose.sample(made.entities, k=choose.randint(0, 3)))
        made.messages.append(remembered)
    _facts(made)
    _edges(made, choose)
    return made


def _facts(made: World) -> None:
    luna, sol, seattle, boat, chess = made.entities
    for predicate, about, subject in (
        ("HAS_PET", luna, None),
        ("HAS_PET", sol, None),
        ("LIVES_IN", seattle, None),
        ("OWNS", boat, None),
        ("LIKES", chess, luna),
    ):
        made.facts.append(fact(made.character, predicate, about, subject=subject, message=made.messages[0]))
    closed = fact(made.character, "LIVES_IN", boat)
    changed(closed, state="closed", closed_at=BEGIN)
    made.facts.append(closed)


def _edges(made: World, choose: random.Random) -> None:
    pairs: Sequence[tuple[Message, Message]] = [
        (earlier, later) for place, earlier in enumerate(made.messages) for later in made.messages[place + 1 :][:3]
    ]
    for earlier, later in pairs:
        made.similarities.append(similar(earlier, later, round(choose.random(), 3)))
        status = choose.choice(["classified", "classified", "relabelled", "rejected", "unclassified", "uncertain"])
        made.relations.append(relation(earlier, later, choose.choice(CLASS_NAMES), status))
