"""A person of many messages: the first projection, and what a turn's projection writes after it.

How long that takes is in `make bench ARGS=memory`.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest

from characters.conversations.models import Message, Person
from characters.memory.models import Entity, Mention, Similarity, UserFact
from characters.profiles.models import Character
from kgadmin.projection import services as projecting
from kgadmin.stores.chroma import ChromaIndex
from kgadmin.stores.graph import Graph
from tests.characters.memory import people
from tests.characters.memory.people import BEGIN, World, changed

pytestmark = pytest.mark.timeout(600)

ENTITIES = 60
TURNS = 2
MESSAGES_OF_A_TURN = 2
MOST_ROWS = 40
"""Nodes, edges and ids that a turn's projection may send: some for each new thing, none for the thousands else."""


def much(mark: Person, ann: Character, messages: int) -> World:
    """Rows as an import makes them: half of the messages are replies; a fact for five, twice as many similarities."""
    choose = random.Random(3)
    made = people.world(mark, ann, messages=2)
    made.entities += Entity.objects.bulk_create(
        Entity(person=mark, key=f"thing {number}", name=f"Thing {number}") for number in range(ENTITIES)
    )
    said = _messages(made, choose, messages // 2)
    named = (
        (message, entity) for message in said for entity in choose.sample(made.entities[:50], choose.randint(0, 4))
    )
    Mention.objects.bulk_create((Mention(message=message, entity=entity) for message, entity in named), batch_size=500)
    for number in range(messages // 5):
        subject = made.entities[(number * 7 + number // ENTITIES) % ENTITIES]
        people.fact(ann, f"LIKES_{number // ENTITIES}", made.entities[number % ENTITIES], subject=subject)
    pairs = ((place, choose.randrange(place)) for place in range(1, len(said)) for _ in range(4))
    Similarity.objects.bulk_create(
        (Similarity(person=mark, earlier=said[one], later=said[two], score=0.5) for two, one in set(pairs)),
        batch_size=500,
    )
    return made


def _messages(made: World, choose: random.Random, count: int) -> list[Message]:
    fields = {"conversation": made.conversation, "stale": True, "version": 1}
    said = Message.objects.bulk_create(
        (
            Message(
                role="user",
                text=f"Message {number} " + "of words " * choose.randint(3, 30),
                at=BEGIN + timedelta(minutes=number),
                place=100 + 2 * number,
                **fields,
            )
            for number in range(count)
        ),
        batch_size=500,
    )
    Message.objects.bulk_create(
        (
            Message(
                role="assistant", parent=each, text="An answer. " * 9, at=each.at, place=(each.place or 0) + 1, **fields
            )
            for each in said
        ),
        batch_size=500,
    )
    return said


@pytest.mark.parametrize("messages", [600, pytest.param(5_000, marks=pytest.mark.faults)])
def test_a_turn_of_a_person_with_many_messages_writes_only_what_changed(
    mark: Person, ann: Character, monkeypatch: pytest.MonkeyPatch, messages: int
) -> None:
    known = much(mark, ann, messages)
    assert projecting.sweep() == 1
    assert UserFact.objects.current().count() > messages // 5
    assert projecting.drift() == []
    written: Counter[str] = Counter()
    monkeypatch.setattr(Graph, "write_all", counting(written, "graph", Graph.write_all, rows_of))
    monkeypatch.setattr(
        ChromaIndex, "upsert", counting(written, "vectors", ChromaIndex.upsert, lambda _, rows: len(rows))
    )
    for number in range(TURNS):
        written.clear()
        turn(known, number)
        assert projecting.sweep() == 1
        assert projecting.waiting() == []
        assert written["vectors"] == MESSAGES_OF_A_TURN
        assert 0 < written["graph"] <= MOST_ROWS, written
    monkeypatch.undo()
    assert projecting.drift() == []


def turn(known: World, number: int) -> None:
    """A turn's rows: two messages, a new entity, two new facts and one that ended."""
    portland = people.entity(known.person, f"Portland {number}", "place")
    said = people.said(known.conversation, f"I've moved to Portland {number} with Luna.", answer="How is it?")
    people.mentions(said, portland, *known.entities[:2])
    people.fact(known.character, "LIVES_IN", portland, message=said)
    people.fact(known.character, "LIKES", portland, subject=known.entities[0], message=said)
    changed(known.facts[number % 4], state="closed", closed_at=BEGIN)


def counting(
    written: Counter[str], store: str, original: Callable[..., Any], size: Callable[..., int]
) -> Callable[..., Any]:
    def counted(self: object, *args: Any) -> Any:
        written[store] += size(*args)
        return original(self, *args)

    return counted


def rows_of(statements: Sequence[tuple[str, Mapping[str, Any]]]) -> int:
    """What the statements write: the items of their lists."""
    return sum(len(value) for _, params in statements for value in params.values() if isinstance(value, list))
