"""What the database notes by itself, on both engines: whoever writes, and only what a projection holds."""

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from characters.conversations.models import Memory, Message, Person
from characters.memory.models import Mention, UserFact
from characters.profiles.models import Character
from kgadmin.projection import triggers
from kgadmin.projection.models import Change
from tests.characters.memory import people
from tests.characters.profiles import sheets

pytestmark = [pytest.mark.engine, pytest.mark.django_db]


@pytest.fixture
def ann() -> Character:
    return sheets.character()


@pytest.fixture
def message(ann: Character) -> Message:
    message = people.message(people.conversation(people.person(), ann), "I have a cat.")
    Change.objects.all().delete()
    return message


def noted() -> list[tuple[str, str, int]]:
    """What was noted since the last look."""
    changes = list(Change.objects.order_by("pk").values_list("owner", "kind", "row"))
    Change.objects.all().delete()
    return changes


def sql(statement: str, *params: str | int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)


def test_a_row_is_noted_when_it_comes_changes_and_goes(message: Message) -> None:
    owner, person = message.conversation.person.graph_id, message.conversation.person
    cat = people.entity(person, "cat")
    assert noted() == [(owner, "entity", cat.pk)]
    sql("UPDATE memory_entity SET name = %s WHERE id = %s", "Cat", cat.pk)
    assert noted() == [(owner, "entity", cat.pk)]
    Mention.objects.bulk_create([Mention(message=message, entity=cat)] * 2, ignore_conflicts=True)
    assert noted() == [(owner, "message", message.pk)]
    fact = people.fact(message.conversation.character, "HAS_PET", cat)
    noted()
    key = cat.pk
    cat.delete()  # its mention and the fact go with it
    assert set(noted()) == {(owner, "entity", key), (owner, "message", message.pk), (owner, "user_fact", fact.pk)}


def test_what_no_projection_holds_is_not_noted(message: Message, ann: Character) -> None:
    Message.objects.update(vector=b"1234", embedder="another", text="I have a cat.")
    Character.objects.update(slug="bo", name=ann.name)
    fact = people.fact(ann, "LIKES", people.entity(message.conversation.person, "rain"))
    noted()
    UserFact.objects.filter(pk=fact.pk).update(vector=b"1234")
    people.conversation(message.conversation.person, ann).messages.create(role="user", text="/help")
    assert noted() == []


def test_a_message_is_noted_when_it_comes_to_be_remembered_and_no_longer_is(message: Message) -> None:
    owner = message.conversation.person.graph_id
    for memory, place in ((Memory.NONE, None), (Memory.WAITING, 7)):
        Message.objects.filter(pk=message.pk).become(memory, place=place)
        assert noted() == [(owner, "message", message.pk)]


def test_who_is_forgotten_is_noted_with_all_that_they_said(message: Message) -> None:
    person = message.conversation.person
    owner, pk, message_pk = person.graph_id, person.pk, message.pk
    Person.objects.filter(pk=pk).delete()
    assert set(noted()) == {(owner, "person", pk), (owner, "message", message_pk)}


def test_a_change_that_is_rolled_back_is_not_noted(message: Message) -> None:
    with transaction.atomic():
        message.conversation.person.rename("Marcus")
        transaction.set_rollback(True)
    assert noted() == []


def test_the_triggers_are_gone_while_migrations_run_and_back_afterwards(message: Message) -> None:
    """Else no engine would let a migration change a table that they name."""
    triggers.remove("default")
    message.conversation.person.rename("Marcus")
    assert noted() == []
    call_command("migrate", verbosity=0)
    message.conversation.person.rename("Mark")
    assert noted() == [(message.conversation.person.graph_id, "person", message.conversation.person.pk)]
