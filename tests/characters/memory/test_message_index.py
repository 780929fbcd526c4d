"""The index file of what somebody said: written by the worker, opened by turns, gone with what is forgotten."""

from typing import Any

import pytest

from characters.conversations.models import Acquaintance, Memory, Message, Person
from characters.memory import erasure, message_index, readers, tasks
from characters.memory.embedding import embed_remembered
from characters.profiles.models import Character
from characters.turn.messages import MessageIndex
from kgadmin.stores import wiring
from tests.characters.memory import people
from tests.characters.memory.test_readers import request
from tests.kgadmin.knowledge.ingestion import HashEmbedder
from tests.patience import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def mark(hashed: HashEmbedder) -> Person:
    return people.person()


def say(person: Person, character: Character, *texts: str) -> list[Message]:
    """In one conversation; embedded, as the worker leaves it."""
    where = people.conversation(person, character)
    rows = [people.message(where, text, answer=f"Oh, {text}") for text in texts]
    embed_remembered(person)
    return rows


def renew(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_index, "LEAST", 1)
    for acquaintance in person.acquaintances.all():
        message_index.renew(acquaintance)


def index_of(person: Person, character: Character) -> MessageIndex:
    index = readers.past_messages(request(person, character))
    assert index is not None
    return index


def quoted(person: Person, character: Character) -> list[str]:
    index = index_of(person, character)
    return [each.text for each in readers.messages(request(person, character), index.ids.tolist()).values()]


def test_a_turn_of_another_process_opens_the_file_and_reads_what_is_newer(
    mark: Person, elena: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(mark, elena, "Luna is ill", "She eats nothing")
    before = index_of(mark, elena)
    renew(mark, monkeypatch)
    say(mark, elena, "She is better")
    readers.forget_all()
    index = index_of(mark, elena)
    assert (len(index), index.stored) == (3, 2)
    vector = wiring.embedder().embed(["Luna is ill"])[0]
    assert index.cosines(vector)[:2] == pytest.approx(before.cosines(vector))
    assert quoted(mark, elena) == ["Luna is ill", "She eats nothing", "She is better"]
    renew(mark, monkeypatch)
    assert index_of(mark, elena).stored == 3, "a newer file takes the place of the older"


def test_a_file_quotes_nothing_that_is_remembered_no_longer(
    mark: Person, elena: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    withdrawn, withheld, _ = say(mark, elena, "Luna is ill", "Say you hate cats", "It rains")
    renew(mark, monkeypatch)
    readers.forget_all()
    erasure.withdraw(withdrawn.conversation, [withdrawn.pk])
    Message.objects.filter(pk=withheld.pk).become(Memory.WITHHELD)
    assert index_of(mark, elena).stored == 3
    assert quoted(mark, elena) == ["It rains"]


def test_a_file_is_made_anew_without_those_that_were_withdrawn(
    mark: Person, elena: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_index, "MOST_WITHDRAWN", 1)
    edited = say(mark, elena, "Luna is ill", "Luna is ill again")
    renew(mark, monkeypatch)
    erasure.withdraw(edited[0].conversation, [message.pk for message in edited])
    say(mark, elena, "It rains")
    renew(mark, monkeypatch)
    assert len(index_of(mark, elena)) == 1


def test_a_file_from_after_the_backup_hides_nothing_that_is_said_since(
    mark: Person, elena: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = say(mark, elena, "One", "Two", "Three")
    renew(mark, monkeypatch)
    Message.objects.filter(pk__in=[message.pk for message in messages[1:]]).delete()
    Acquaintance.objects.update(places=1)
    readers.forget_all()
    say(mark, elena, "Four")
    tasks.write_indexes()
    assert quoted(mark, elena) == ["One", "Four"]


@pytest.mark.parametrize("forget", ["person", "conversation"])
def test_forgetting_deletes_the_files_at_once(
    mark: Person, elena: Character, dotty: Character, monkeypatch: pytest.MonkeyPatch, forget: str
) -> None:
    (secret,) = say(mark, elena, "My secret is Ophelia")
    say(mark, dotty, "Nothing of that here")
    renew(mark, monkeypatch)
    of_elena, of_dotty = (message_index.owner_of(mark.pk, each.pk) for each in (elena, dotty))
    assert sorted(wiring.index_files().owners()) == sorted([of_elena, of_dotty])
    if forget == "person":
        erasure.forget_person(mark, by=None)
        assert wiring.index_files().owners() == []
    else:
        erasure.forget_conversation(secret.conversation, by=None)
        assert wiring.index_files().owners() == [of_dotty]
        assert len(index_of(mark, elena)) == 0


def test_a_file_that_is_written_while_somebody_is_forgotten_does_not_stay(
    mark: Person, elena: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    (secret,) = say(mark, elena, "My secret is Ophelia")
    write = wiring.index_files().write

    def forgotten_meanwhile(*args: Any) -> None:
        erasure.forget_conversation(secret.conversation, by=None)
        write(*args)

    monkeypatch.setattr(wiring.index_files(), "write", forgotten_meanwhile)
    renew(mark, monkeypatch)
    assert wiring.index_files().owners() == []


def test_many_messages_without_a_file_are_indexed_in_the_background(
    mark: Person, elena: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "MOST_READ", 2)
    say(mark, elena, "One", "Two", "Three")
    assert readers.past_messages(request(mark, elena)) is None
    assert wait_for(lambda: readers.past_messages(request(mark, elena)) is not None, 10)
    assert quoted(mark, elena) == ["One", "Two", "Three"]


def test_the_sweep_writes_missing_files_and_deletes_those_of_nobody_and_of_what_was_forgotten_elsewhere(
    mark: Person, elena: Character, dotty: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(mark, dotty, "My secret is Ophelia")
    renew(mark, monkeypatch)
    Acquaintance.objects.update(messages_epoch=1, places=0)
    monkeypatch.setattr(message_index, "LEAST", 2)
    say(mark, elena, "One", "Two")
    wiring.index_files().write(message_index.owner_of(999, 1), "1", {})
    tasks.write_indexes()
    assert wiring.index_files().owners() == [message_index.owner_of(mark.pk, elena.pk)]


def test_after_another_model_the_file_waits_for_its_vectors(
    mark: Person, elena: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(mark, elena, "Luna is ill", "She is better")
    renew(mark, monkeypatch)
    other = HashEmbedder("another model")
    monkeypatch.setattr(wiring, "embedder", lambda: other)
    tasks.write_indexes()
    assert index_of(mark, elena).stored == 0, "none of its vectors can be compared"
    embed_remembered(mark)
    renew(mark, monkeypatch)
    index = index_of(mark, elena)
    assert index.stored == 2
    assert index.cosines(other.embed(["Luna is ill"])[0])[0] == pytest.approx(1.0, abs=1e-4)


def test_what_waits_to_be_examined_keeps_nothing_before_it_from_being_recalled(
    mark: Person, elena: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "MOST_READ", 2)
    say(mark, elena, "One", "Two")
    waiting = say(mark, elena, "Three", "Four", "Five")
    Message.objects.filter(pk__in=[each.pk for each in waiting]).update(memory=Memory.WAITING)
    assert quoted(mark, elena) == ["One", "Two"]
