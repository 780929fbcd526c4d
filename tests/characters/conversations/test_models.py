"""Turns as rows: running, stopped, interrupted, done; and the path through a conversation."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from time_machine import Traveller

from characters.conversations import services
from characters.conversations.models import HEART_STOPPED_AFTER, Conversation, Message, Turn


@pytest.fixture(autouse=True)
def clock() -> Iterator[Traveller]:
    with time_machine.travel(datetime(2026, 3, 1, 12, tzinfo=UTC), tick=False) as clock:
        yield clock


def stored(turn: Turn) -> Turn:
    return Turn.objects.get(pk=turn.pk)


def test_a_turn_whose_heart_stopped_is_interrupted_by_itself(turn: Turn, clock: Traveller) -> None:
    for state in (Turn.State.ASSEMBLING, Turn.State.REPLYING):
        Turn.objects.update(state=state)
        Turn.keep_alive(turn.pk)
        clock.shift(HEART_STOPPED_AFTER.total_seconds() - 1)
        assert (stored(turn).is_running, stored(turn).status) == (True, state)
        clock.shift(1)
        assert (stored(turn).is_running, stored(turn).status) == (False, "interrupted"), state
        assert stored(turn).state == state


def test_a_beat_saves_what_has_arrived_keeps_it_running_and_hears_who_asks_to_stop(
    turn: Turn, clock: Traveller
) -> None:
    Turn.objects.update(state=Turn.State.REPLYING)
    clock.shift(9)
    assert not turn.beat("I am")
    clock.shift(9)
    assert (stored(turn).text, stored(turn).status) == ("I am", "replying")
    turn.ask_to_stop()
    assert turn.beat("I am")


def test_what_was_said_whole_or_stopped_becomes_a_message(conversation: Conversation) -> None:
    for state, text, replies in (
        (Turn.State.DONE, "I am Ann.", True),
        (Turn.State.STOPPED, "I am", True),
        (Turn.State.STOPPED, "", False),
        (Turn.State.DONE, "", False),
        (Turn.State.FAILED, "I am", False),
        (Turn.State.INTERRUPTED, "I am", False),
    ):
        turn, _ = services.start_turn(conversation=conversation, text="Who are you?")
        turn.finish(state, text, error="Why." if state == Turn.State.FAILED else "", reply_ms=12.5, completion_tokens=3)
        after = stored(turn)
        assert (after.state, after.text, after.reply_ms, after.completion_tokens) == (state, text, 12.5, 3)
        assert (after.reply is not None) == replies, (state, text)
        if after.reply:
            assert (after.reply.role, after.reply.text, after.reply.parent) == ("assistant", text, turn.message)


def test_a_path_leads_along_one_branch(conversation: Conversation) -> None:
    def say(text: str, parent: Message | None) -> Message:
        return Message.objects.create(conversation=conversation, parent=parent, role="user", text=text)

    root = say("root", None)
    left = say("left", root)
    say("left leaf", left)
    say("right", root)
    assert [message.text for message in conversation.path()] == ["root", "right"]
    messages = {message.pk: message for message in conversation.messages.all()}
    assert [message.text for message in left.path(messages)] == ["root", "left"]
