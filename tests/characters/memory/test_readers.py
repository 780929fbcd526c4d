from typing import Any

import pytest
from django.utils import timezone

from characters.conversations.models import Acquaintance, Memory, Message, Person
from characters.domain.sheet import Sheet
from characters.memory import readers
from characters.memory.models import Alias
from characters.profiles.models import Character
from characters.turn.messages import MessageIndex
from characters.turn.request import TurnRequest
from tests.characters.memory import people
from tests.kgadmin.knowledge.ingestion import HashEmbedder

pytestmark = pytest.mark.django_db


@pytest.fixture
def mark() -> Person:
    return people.person()


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


def ask(person: Person, character: Character, text: str, reply: str = "") -> Message:
    """A message to the character in a conversation of its own, with the reply to it."""
    return people.message(people.conversation(person, character), text, answer=reply, at=timezone.now())


def index_of(person: Person, character: Character) -> MessageIndex:
    index = readers.past_messages(request(person, character))
    assert index is not None
    return index


def past_texts(person: Person, character: Character) -> list[str]:
    """What may come back as memory, oldest first."""
    ids = index_of(person, character).ids.tolist()
    messages = readers.messages(request(person, character), ids)
    return [messages[id_].text for id_ in ids if id_ in messages]


def test_what_ended_is_not_known_and_what_one_character_learned_no_other_knows(
    mark: Person, elena: Character, dotty: Character
) -> None:
    people.fact(elena, "HAS_PET", people.entity(mark, "Luna"))
    people.changed(people.fact(elena, "LIVES_IN", people.entity(mark, "Seattle")), state="closed")
    people.fact(dotty, "LIKES", people.entity(mark, "opera"))
    known = readers.known(request(mark, elena))
    assert [fact.object_name for fact in known.facts] == ["Luna"]
    assert [entity.name for entity in known.matcher.by_id.values()] == ["Luna"]
    assert not known.matcher.find("opera")


def test_rows_are_read_again_only_under_another_version_and_found_by_their_aliases(
    mark: Person, elena: Character
) -> None:
    Acquaintance.objects.create(person=mark, character=elena)
    first = readers.known(request(mark, elena))
    fact = people.fact(elena, "HAS_PET", people.entity(mark, "Luna"))
    Alias.objects.create(entity=fact.object, key="my cat", text="my cat")
    assert readers.known(request(mark, elena)) is first
    Acquaintance.objects.update(facts_version=1)
    matches = readers.known(request(mark, elena)).matcher.find("my cat is asleep")
    assert [each.entities for each in matches] == [(fact.object.graph_id,)]


def test_new_messages_are_read_on_with_their_replies_and_what_is_gone_is_not_quoted(
    mark: Person, elena: Character
) -> None:
    first = ask(mark, elena, "Luna is ill", "Poor Luna.")
    index = index_of(mark, elena)
    second = ask(mark, elena, "She is better", "I am glad.")
    assert index_of(mark, elena) is index
    messages = readers.messages(request(mark, elena), index.ids.tolist())
    assert [(messages[each.pk].text, messages[each.pk].reply) for each in (first, second)] == [
        ("Luna is ill", "Poor Luna."),
        ("She is better", "I am glad."),
    ]
    first.delete()
    assert past_texts(mark, elena) == ["She is better"]
    Acquaintance.objects.update(messages_epoch=1)
    assert len(index_of(mark, elena)) == 1


def test_nothing_of_a_sandbox_or_of_others_is_read(mark: Person, elena: Character, dotty: Character) -> None:
    sandbox = people.conversation(mark, elena)
    sandbox.sandbox = True
    people.message(sandbox, "A secret")
    ask(mark, dotty, "For Dotty only")
    ask(people.person("Noor"), elena, "Noor's words")
    assert past_texts(mark, elena) == []


def test_what_is_withheld_and_what_nobody_has_looked_at_stay_out(mark: Person, elena: Character) -> None:
    texts = ("Luna is ill", "Say you hate cats", "And", "Then")
    _, withheld, waiting, _ = [ask(mark, elena, text, "I love Luna too.") for text in texts]
    Message.objects.filter(role="assistant").become(Memory.WITHHELD)
    Message.objects.filter(pk=withheld.pk).become(Memory.WITHHELD)
    Message.objects.filter(pk=waiting.pk).update(memory=Memory.WAITING)
    assert past_texts(mark, elena) == ["Luna is ill"]
    (first,) = readers.messages(request(mark, elena), index_of(mark, elena).ids.tolist()).values()
    assert first.reply == ""
    Message.objects.filter(pk=waiting.pk).become(Memory.QUOTABLE)
    assert past_texts(mark, elena) == ["Luna is ill", "And", "Then"]


def test_a_vector_that_comes_later_is_taken_and_none_of_another_embedder(
    mark: Person, elena: Character, hashed: HashEmbedder
) -> None:
    message = ask(mark, elena, "Luna is ill")
    index = index_of(mark, elena)
    assert index.without_vector == [message.pk]
    vector = hashed.embed([message.text])[0]
    Message.objects.filter(pk=message.pk).update(vector=vector.tobytes(), embedder=hashed.id)
    index_of(mark, elena)
    assert index.without_vector == []
    assert float(index.cosines(vector)[0]) == pytest.approx(1.0, abs=1e-4)
    fact = people.fact(elena, "HAS_PET", people.entity(mark, "Luna"))
    people.changed(fact, vector=vector.tobytes(), embedder="another model")
    assert readers.known(request(mark, elena)).vectors is None
    Message.objects.filter(pk=message.pk).update(embedder="another model")
    Acquaintance.objects.update(messages_epoch=1)
    assert index_of(mark, elena).without_vector == [message.pk]


def test_only_drawn_relations_of_the_two_are_read(mark: Person, elena: Character, dotty: Character) -> None:
    first, second = ask(mark, elena, "I want yoga"), ask(mark, elena, "No yoga")
    relation = people.relation(first, second, "Contrast")
    (edge,) = readers.related(request(mark, elena), [second.graph_id])
    assert (edge.earlier, edge.later, edge.relation) == (first.graph_id, second.graph_id, "Contrast")
    assert readers.related(request(mark, dotty), [second.graph_id]) == []
    people.changed(relation, status="rejected")
    assert readers.related(request(mark, elena), [second.graph_id]) == []
