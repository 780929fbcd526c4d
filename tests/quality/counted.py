"""Counted turns for tests of the dashboard."""

import time
from collections.abc import Mapping
from typing import Any

from characters.conversations.models import Conversation, Message, Person, Stage, Turn, TurnMetrics
from kgadmin.accounts.models import User
from tests.characters.profiles import sheets


def conversation(owner: User) -> Conversation:
    person = Person.objects.create(namespace="tester:all", outside_id="mark", name="Mark")
    return Conversation.objects.create(character=sheets.character("elena"), person=person, owner=owner)


def turn(
    of: Conversation,
    *,
    hours_ago: int = 0,
    ms: Mapping[str, float] | None = None,
    failed: Mapping[str, str] | None = None,
    skipped: Mapping[str, float] | None = None,
    counted: bool = True,
    assembled_ms: float = 50.0,
    **used: Any,
) -> Turn:
    """A turn of so many hours ago, with what its stages took, what they failed with, and what was used of them."""
    message = Message.objects.create(conversation=of, role="user", text="Hi")
    made = Turn.objects.create(message=message, key=str(message.pk), state="done", assembled_ms=assembled_ms)
    stages = [(name, "ok", value, "") for name, value in (ms or {}).items()]
    stages += [(name, "skipped", value, "") for name, value in (skipped or {}).items()]
    stages += [(name, "failed", 1.0, error) for name, error in (failed or {}).items()]
    Stage.objects.bulk_create(
        Stage(turn=made, position=place, name=name, status=status, started_ms=0, elapsed_ms=value, error=error)
        for place, (name, status, value, error) in enumerate(stages)
    )
    if counted:
        TurnMetrics.objects.create(turn=made, hour=this_hour() - hours_ago, **used)
    return made


def this_hour() -> int:
    return int(time.time()) // 3600
