"""Which facts came up in real turns."""

from datetime import timedelta

import pytest
from django.utils import timezone

from characters.authoring.lint.checks import fact_use_since
from characters.conversations import services
from characters.conversations.models import Conversation, Message, Stage, Turn, TurnMetrics
from kgadmin.accounts.models import User
from tests.characters.profiles import sheets

LONG_AGO = timezone.now() - timedelta(days=365)


@pytest.fixture
def conversation(tester: User) -> Conversation:
    return services.start_conversation(character=sheets.character(), by=tester)


def say(conversation: Conversation, *facts: str, live: bool = True, status: str = "ok") -> Turn:
    """A turn whose background stage used these facts."""
    message = Message.objects.create(conversation=conversation, role="user", text="Hi")
    turn = Turn.objects.create(message=message, key=f"k{message.pk}", state="done")
    evidence = {"used": [{"id": each, "score": 0.9} for each in facts]}
    Stage.objects.create(
        turn=turn, position=1, name="background", status=status, started_ms=0, elapsed_ms=1, evidence=evidence
    )
    if live:
        TurnMetrics.objects.create(turn=turn, hour=1)
    return turn


def test_each_fact_is_counted_in_the_live_turns_that_used_any(conversation: Conversation) -> None:
    say(conversation, "f1", "f2")
    say(conversation, "f1")
    say(conversation)
    say(conversation, "f1", live=False)
    say(conversation, "f1", status="failed")
    old = say(conversation, "f1")
    Turn.objects.filter(pk=old.pk).update(created_at=LONG_AGO - timedelta(days=1))
    use = fact_use_since(conversation.character_id, LONG_AGO)
    assert (use.turns, use.counts) == (2, {"f1": 2, "f2": 1})
    assert fact_use_since(conversation.character_id + 1, LONG_AGO).turns == 0
