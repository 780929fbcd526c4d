"""Where a program's newest message belongs, found by what it sends of the past."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from characters.conversations import clients
from characters.conversations.clients import Line, Sent
from characters.conversations.models import Message, Person, Turn
from characters.profiles.models import Character
from kgadmin.accounts.models import Client, User
from tests.characters.profiles import sheets

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot(tester: User) -> Client:
    return Client.objects.create(name="A bot", owner=tester)


@pytest.fixture
def hello(bot: Client, elena: Character) -> Sent:
    return Sent(bot, elena, "Hello there", person="7", name="Mark")


def reply(turn: Turn, text: str = "Hi Mark.") -> Line:
    turn.finish(Turn.State.DONE, text)
    return Line("assistant", text)


def after(sent: Sent, *lines: Line, text: str) -> Sent:
    return replace(sent, history=(*sent.history, Line("user", sent.text), *lines), text=text)


def test_the_first_message_starts_a_conversation_with_the_programs_person(hello: Sent, bot: Client) -> None:
    turn = clients.begin(hello)
    person = turn.conversation.person
    assert (person.namespace, person.outside_id, person.name) == (f"client:{bot.pk}", "7", "Mark")
    assert (turn.conversation.client, turn.conversation.owner) == (bot, bot.owner)
    assert not turn.conversation.sandbox


@pytest.mark.parametrize(
    ("before", "stored", "sent"),
    [
        ((), "Hi Mark.", "Hi Mark."),
        ((), "Hi  Mark.\n\nHow are you? ", "Hi Mark.\nHow are you?"),
        ((Line("assistant", "*waves*"),), "Hi Mark.", "Hi Mark."),
    ],
)
def test_the_next_message_is_known_by_the_history_that_comes_along_greeting_and_changed_white_space_included(
    hello: Sent, before: tuple[Line, ...], stored: str, sent: str
) -> None:
    greeted = replace(hello, history=before)
    first = clients.begin(greeted)
    reply(first, stored)
    second = clients.begin(after(greeted, Line("assistant", sent), text="How are you?"))
    assert (second.conversation, second.message.parent, second.variant_of) == (first.conversation, first.reply, None)
    assert not Message.objects.filter(text="*waves*").exists()


def test_the_longest_known_part_counts_where_a_reply_was_edited(hello: Sent) -> None:
    first = clients.begin(hello)
    sent = after(hello, reply(first), text="How are you?")
    second = clients.begin(sent)
    reply(second, "Well.")
    third = clients.begin(after(sent, Line("assistant", "Awful!"), text="Oh no"))
    assert third.message.parent == second.message
    assert third.variant_of is None
    fourth = clients.begin(after(after(sent, Line("assistant", "Awful!"), text="Oh no"), reply(third), text="Really?"))
    assert fourth.message.parent == third.reply


def test_the_first_message_again_is_another_try_for_an_hour_unless_it_was_followed(hello: Sent) -> None:
    first = clients.begin(hello)
    reply(first)
    again = clients.begin(hello)
    assert (again.message, again.variant_of) == (first.message, first)
    Message.objects.update(at=timezone.now() - timedelta(hours=2))
    later = clients.begin(hello)
    assert later.conversation != first.conversation
    assert later.variant_of is None
    clients.begin(after(hello, reply(later), text="How are you?"))
    assert clients.begin(hello).conversation not in {first.conversation, later.conversation}


def test_another_person_character_or_program_shares_no_conversation(hello: Sent, tester: User, bot: Client) -> None:
    first = clients.begin(replace(hello, conversation="room 5"))
    sent = after(replace(hello, conversation="room 5"), reply(first), text="How are you?")
    other_bot = Client.objects.create(name="Another bot", owner=tester)
    others = [
        replace(sent, person="8"),
        replace(sent, character=sheets.character("dotty")),
        replace(sent, client=other_bot),
        replace(sent, remembered=False),
    ]
    conversations = [clients.begin(each).conversation for each in others]
    assert len({each.pk for each in [*conversations, first.conversation]}) == 5
    assert Person.objects.filter(outside_id="7").count() == 2


def test_a_person_is_called_as_the_program_calls_them_last(hello: Sent) -> None:
    person = clients.begin(hello).conversation.person
    clients.begin(replace(hello, name="Mar\u200bcus\u202e", text="It's me"))
    person.refresh_from_db()
    assert person.name == "Marcus"
