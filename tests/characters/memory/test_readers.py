from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.db import transaction
from django.utils import timezone

from characters.conversations import services as conversations
from characters.conversations.models import Acquaintance, Conversation, Memory, Message, Person
from characters.domain.sheet import Sheet
from characters.memory import readers
from characters.memory.models import Alias, Entity, Relation, UserFact
from characters.profiles.models import Character
from characters.turn.request import TurnRequest
from kgadmin.accounts.models import User
from tests.kgadmin.knowledge.ingestion import HashEmbedder

pytestmark = pytest.mark.django_db


@pytest.fixture
def mark() -> Person:
    return Person.objects.create(namespace="tester:all", outside_id="mark", name="Mark")


@pytest.fixture
def elena() -> Character:
    return Character.objects.create(slug="elena", name="Elena")


@pytest.fixture
def dotty() -> Character:
    return Character.objects.create(slug="dotty", name="Dotty")


def request(person: Person, character: Character, **changes: Any) -> TurnRequest:
    met = Acquaintance.objects.filter(person=person, character=character).first() or Acquaintance()
    fields: dict[str, Any] = {
        "message": "Hello",
        "character": character.graph_id,
        "sheet": Sheet(character.name, "You are {{char}}."),
        "revision": 1,
        "person": person.name,
        "person_id": person.graph_id,
        "now": timezone.now(),
        "facts_version": met.facts_version,
        "messages_epoch": met.messages_epoch,
    }
    return TurnRequest(**{**fields, **changes})


def learned(person: Person, character: Character, predicate: str, name: str, **fields: Any) -> UserFact:
    entity, _ = Entity.objects.get_or_create(person=person, key=name.lower(), defaults={"name": name})
    now = timezone.now()
    return UserFact.objects.create(
        person=person,
        character=character,
        predicate=predicate,
        object=entity,
        text=name,
        confidence=0.9,
        origin="pattern",
        first_seen=now,
        last_seen=now,
        **fields,
    )


def talked(person: Person, character: Character, by: User, *texts: str, sandbox: bool = False) -> list[Message]:
    conversation = Conversation.objects.create(person=person, character=character, owner=by, sandbox=sandbox)
    made: list[Message] = []
    for place, text in enumerate(texts):
        at = timezone.now() - timedelta(hours=len(texts) - place)
        parent = made[-1] if made else None
        role = Message.Role.ASSISTANT if place % 2 else Message.Role.USER
        made.append(Message.objects.create(conversation=conversation, parent=parent, role=role, text=text, at=at))
    with transaction.atomic():
        conversations.enqueue_for_memory(conversation=conversation, messages=made)
        Message.objects.filter(conversation=conversation).become(Memory.QUOTABLE)
    return made


def test_what_ended_is_not_known_and_what_one_character_learned_no_other_knows(
    mark: Person, elena: Character, dotty: Character
) -> None:
    learned(mark, elena, "HAS_PET", "Luna")
    learned(mark, elena, "LIVES_IN", "Seattle", state="closed", closed_at=timezone.now())
    learned(mark, dotty, "LIKES", "opera")
    known = readers.known(request(mark, elena))
    assert [fact.object_name for fact in known.facts] == ["Luna"]
    assert [entity.name for entity in known.entities] == ["Luna"]
    assert not known.matcher.find("opera")


def test_rows_are_read_again_only_under_another_version(mark: Person, elena: Character) -> None:
    Acquaintance.objects.create(person=mark, character=elena)
    first = readers.known(request(mark, elena))
    learned(mark, elena, "HAS_PET", "Luna")
    assert readers.known(request(mark, elena)) is first
    Acquaintance.objects.update(facts_version=1)
    assert readers.known(request(mark, elena)).matcher.find("How's Luna?")


def test_aliases_find_their_entity(mark: Person, elena: Character) -> None:
    fact = learned(mark, elena, "HAS_PET", "Luna")
    Alias.objects.create(entity=fact.object, key="my cat", text="my cat")
    found = readers.known(request(mark, elena)).matcher.find("my cat is asleep")
    assert [each.entities for each in found] == [(fact.object.graph_id,)]


def test_messages_of_the_person_are_read_with_her_answers(mark: Person, elena: Character, tester: User) -> None:
    talked(mark, elena, tester, "Luna is ill", "Poor Luna.", "She is better", "I am glad.")
    index = readers.said(request(mark, elena))
    assert [(each.text, each.reply) for each in index.messages] == [
        ("Luna is ill", "Poor Luna."),
        ("She is better", "I am glad."),
    ]


def test_new_messages_are_read_on_and_old_ones_not_again(mark: Person, elena: Character, tester: User) -> None:
    talked(mark, elena, tester, "Luna is ill", "Poor Luna.")
    index = readers.said(request(mark, elena))
    talked(mark, elena, tester, "She is better")
    assert readers.said(request(mark, elena)) is index
    assert [each.text for each in index.messages] == ["Luna is ill", "She is better"]


def test_another_epoch_reads_everything_again(mark: Person, elena: Character, tester: User) -> None:
    first, _ = talked(mark, elena, tester, "Luna is ill", "Poor Luna.")
    index = readers.said(request(mark, elena))
    first.delete()
    Acquaintance.objects.update(messages_epoch=1)
    again = readers.said(request(mark, elena))
    assert again is not index
    assert not again.messages


def test_nothing_of_a_sandbox_or_of_others_is_read(
    mark: Person, elena: Character, dotty: Character, tester: User
) -> None:
    other = Person.objects.create(namespace="import", outside_id="1", name="Noor")
    talked(mark, elena, tester, "A secret", sandbox=True)
    talked(mark, dotty, tester, "For Dotty only")
    talked(other, elena, tester, "Noor's words")
    assert not readers.said(request(mark, elena)).messages


def test_what_is_withheld_and_what_nobody_has_looked_at_stay_out(mark: Person, elena: Character, tester: User) -> None:
    said = [talked(mark, elena, tester, text)[0] for text in ("Luna is ill", "Say that you hate cats", "And", "Then")]
    Message.objects.filter(pk=said[1].pk).become(Memory.WITHHELD)
    Message.objects.filter(pk=said[2].pk).update(memory=Memory.WAITING)
    assert [each.text for each in readers.said(request(mark, elena)).messages] == ["Luna is ill"]
    Message.objects.filter(pk=said[2].pk).become(Memory.QUOTABLE)
    assert [each.text for each in readers.said(request(mark, elena)).messages] == ["Luna is ill", "And", "Then"]


def test_a_reply_that_may_not_be_quoted_stays_out(mark: Person, elena: Character, tester: User) -> None:
    _, reply = talked(mark, elena, tester, "Luna is ill", "I love Luna too.")
    Message.objects.filter(pk=reply.pk).become(Memory.WITHHELD)
    assert readers.said(request(mark, elena)).messages[0].reply == ""


def test_a_vector_that_comes_later_is_taken(mark: Person, elena: Character, tester: User, hashed: HashEmbedder) -> None:
    (message,) = talked(mark, elena, tester, "Luna is ill")
    index = readers.said(request(mark, elena))
    assert index.without_vector == [message.graph_id]
    vector = hashed.embed([message.text])[0]
    Message.objects.filter(pk=message.pk).update(vector=vector.tobytes(), embedder=hashed.id)
    readers.said(request(mark, elena))
    assert index.without_vector == []
    assert float(index.cosines(vector)[0]) == pytest.approx(1.0, abs=1e-4)
    Message.objects.filter(pk=message.pk).update(embedder="another model")
    Acquaintance.objects.update(messages_epoch=1)
    assert readers.said(request(mark, elena)).without_vector == [message.graph_id]


def test_only_drawn_relations_of_the_two_are_read(
    mark: Person, elena: Character, dotty: Character, tester: User
) -> None:
    first, _, second = talked(mark, elena, tester, "I want yoga", "Nice.", "No yoga")
    pair = {"person": mark, "earlier": first, "later": second, "relation": "Contrast", "confidence": 0.9}
    relation = Relation.objects.create(character=elena, status="classified", **pair)
    (edge,) = readers.related(request(mark, elena), [second.graph_id])
    assert (edge.earlier, edge.later, edge.relation) == (first.graph_id, second.graph_id, "Contrast")
    assert readers.related(request(mark, dotty), [second.graph_id]) == []
    Relation.objects.filter(pk=relation.pk).update(status="rejected")
    assert readers.related(request(mark, elena), [second.graph_id]) == []


def test_vectors_of_another_embedder_are_similar_to_nothing(
    mark: Person, elena: Character, hashed: HashEmbedder
) -> None:
    vector = np.ones(3, dtype=np.float32).tobytes()
    learned(mark, elena, "HAS_PET", "Luna", vector=vector, embedder="another model")
    assert readers.known(request(mark, elena)).vectors is None
