"""Starting conversations and turns: what is taken, what is refused, and nothing twice."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest
from django.db import connections
from django.utils import timezone

from characters.conversations import services
from characters.conversations.models import (
    HEART_STOPPED_AFTER,
    Conversation,
    Message,
    Person,
    Turn,
)
from kgadmin.accounts.models import User
from kgadmin.rest.actions import Refused
from tests.characters.profiles import sheets

Result = TypeVar("Result")


def test_a_message_follows_the_newest_one(conversation: Conversation, turn: Turn) -> None:
    turn.finish(Turn.State.DONE, "I am Ann.")
    second, _ = services.start_turn(conversation=conversation, text="And where?", asked={"off": ["documents"]})
    assert second.message.parent == turn.reply
    assert Turn.objects.get(pk=second.pk).request == {"off": ["documents"]}
    assert [message.text for message in conversation.path()] == ["Who are you?", "I am Ann.", "And where?"]
    second.finish(Turn.State.FAILED, "I a", error="The line was cut.")
    third, _ = services.start_turn(conversation=conversation, text="Where?")
    assert third.message.parent == second.message


def test_the_same_form_twice_is_one_turn_and_another_form_another(conversation: Conversation, tester: User) -> None:
    first, again = (services.start_turn(conversation=conversation, text="Hi there", key="k1") for _ in range(2))
    assert (first[1], again[1]) == (True, False)
    assert first[0] == again[0]
    assert (Turn.objects.count(), Message.objects.count()) == (1, 1)
    other = services.start_conversation(character=conversation.character, by=tester)
    with pytest.raises(Refused, match="already sent in another tab"):
        services.start_turn(conversation=other, text="Hi there", key="k1")
    assert not other.messages.exists()
    for key in ("k2", "", ""):
        Turn.objects.latest("pk").finish(Turn.State.DONE, "Yes.")
        services.start_turn(conversation=conversation, text="Hi there", key=key)
    assert Turn.objects.count() == 4


def test_what_is_said_during_a_reply_is_refused_until_it_ends_or_its_process_is_gone(
    conversation: Conversation, turn: Turn
) -> None:
    with pytest.raises(Refused, match="Ann Holm is still answering"):
        services.start_turn(conversation=conversation, text="And where?")
    Turn.objects.update(heartbeat_at=timezone.now() - HEART_STOPPED_AFTER)
    services.start_turn(conversation=conversation, text="And where?")
    assert [message.text for message in conversation.path()] == ["Who are you?", "And where?"]
    with pytest.raises(Refused):
        services.try_again(turn)


def at_once(send: Callable[[int], Result]) -> list[Result]:
    """What four threads get that call `send` at the same moment."""
    together = Barrier(4)

    def wait_and_send(number: int) -> Result:
        try:
            together.wait(10)
            return send(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as threads:
        return list(threads.map(wait_and_send, range(4)))


@pytest.mark.engine
def test_of_messages_at_the_same_moment_one_is_taken_and_seen(
    transactional_db: None, conversation: Conversation
) -> None:
    def send(number: int) -> str:
        try:
            return services.start_turn(conversation=conversation, text=f"Number {number}")[0].message.text
        except Refused:
            return ""

    taken = [text for text in at_once(send) if text]
    assert [message.text for message in conversation.path()] == taken
    assert (len(taken), Message.objects.count()) == (1, 1)


@pytest.mark.engine
def test_the_same_form_at_the_same_moment_is_one_turn(transactional_db: None, conversation: Conversation) -> None:
    results = at_once(lambda _: services.start_turn(conversation=conversation, text="Hi there", key="k1"))
    assert len({turn.pk for turn, _ in results}) == 1
    assert sorted(is_new for _, is_new in results) == [False] * 3 + [True]
    assert Message.objects.count() == 1


def test_trying_again_is_another_turn_on_the_same_message_as_long_as_that_is_the_last(
    conversation: Conversation, turn: Turn
) -> None:
    turn.finish(Turn.State.FAILED, "", error="The line was cut.")
    retried, is_new = services.try_again(turn)
    assert is_new
    assert (retried.message, retried.variant_of, retried.state) == (turn.message, turn, Turn.State.ASSEMBLING)
    assert services.try_again(turn) == (retried, False)
    assert Message.objects.count() == 1
    retried.finish(Turn.State.DONE, "I am Ann.")
    assert [message.text for message in conversation.path()] == ["Who are you?", "I am Ann."]
    second, _ = services.start_turn(conversation=conversation, text="Hello?")
    second.finish(Turn.State.FAILED, "", error="The line was cut.")
    services.start_turn(conversation=conversation, text="Hello?")[0].finish(Turn.State.DONE, "Yes?")
    for before in (second, retried):
        with pytest.raises(Refused, match="has continued since"):
            services.try_again(before)


def test_a_tester_talks_as_one_person_to_everybody(tester: User, outsider: User) -> None:
    ann, bo = sheets.character("ann"), sheets.character("bo")
    people = {services.start_conversation(character=each, by=tester).person for each in (ann, bo, ann)}
    assert len(people) == 1
    assert services.start_conversation(character=ann, by=outsider).person not in people
    assert {person.namespace for person in Person.objects.all()} == {f"tester:{tester.pk}", f"tester:{outsider.pk}"}
    assert services.person_of_tester(tester).name == "Tester"
