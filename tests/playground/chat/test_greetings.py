"""A character's greeting is the first message of a new conversation; a tester may choose another."""

from dataclasses import replace

import pytest
from django.test import Client

from characters.conversations import services
from characters.conversations.models import Conversation, Memory, Message
from characters.profiles import services as profiles
from characters.profiles.models import Character
from characters.talk.requests import request_for
from kgadmin.accounts.models import User
from tests.playground.chat.test_views import text_of

GREETINGS = ("Come in, {{user}}. I am {{char}}.", "<script>alert(1)</script> *Late* again?")


@pytest.fixture
def greeter(resting: Character) -> Character:
    return greeting(resting)


def greeting(character: Character) -> Character:
    assert character.sheet
    profiles.publish(character, sheet=replace(character.sheet, nickname="Tom", greetings=GREETINGS), by=None)
    return character


def test_a_conversation_begins_with_the_greeting_which_is_part_of_the_history(greeter: Character, tester: User) -> None:
    person = services.person_of_tester(tester)
    turn, _ = services.begin(character=greeter, by=tester, person=person, text="Hi.", greeting=0)
    first, second = turn.conversation.path()
    assert (first.role, first.text) == (Message.Role.ASSISTANT, "Come in, Tester. I am Tom.")
    assert (second.text, second.parent) == ("Hi.", first)
    assert first.memory == Memory.GREETING
    request = request_for(turn)
    assert [(message.role, message.text) for message in request.history] == [("assistant", first.text)]
    assert request.turn == 1


def test_the_page_shows_the_greeting_and_the_others(tester_client: Client, greeter: Character) -> None:
    page = tester_client.get("/playground/with/tomasz/")
    assert "Come in, Tester. I am Tom." in text_of(page)
    other = tester_client.get("/playground/with/tomasz/?greeting=1").content.decode()
    assert "<em>Late</em> again?" in other
    assert "<script>alert" not in other
    assert 'name="greeting"\n                            value="1"' in other
    for odd in ("9", "-1", "x", "99999999999999999999"):
        assert "Come in, Tester" in text_of(tester_client.get(f"/playground/with/tomasz/?greeting={odd}"))


def test_the_chosen_one_is_said_and_stays_on_the_page(tester_client: Client, tomasz: Character) -> None:
    greeting(tomasz)
    answer = tester_client.post("/playground/with/tomasz/begin/", {"message": "help", "greeting": "1"}, follow=True)
    assert "again?" in text_of(answer)
    assert Conversation.objects.get().greeting == GREETINGS[1]
