"""For tests of whole turns: asking, and waiting for a state."""

import asyncio
import time
from collections.abc import Callable

from characters.conversations import services
from characters.conversations.models import Conversation, Person, Turn
from characters.profiles.models import Character
from characters.talk import say as talk
from kgadmin.accounts.models import User

PATIENCE_SECONDS = 30.0


def asked(
    by: User,
    character: Character,
    text: str = "Good evening to you",
    *,
    key: str = "",
    person: Person | None = None,
) -> Turn:
    """A saved turn in a conversation of its own, not answered yet."""
    conversation = services.start_conversation(character=character, by=by, first=text, person=person)
    return asked_in(conversation, text, key=key)


def asked_in(conversation: Conversation, text: str, *, key: str = "") -> Turn:
    """The conversation's next turn, not answered yet."""
    turn, is_new = services.start_turn(conversation=conversation, text=text, key=key)
    assert is_new
    return turn


def answered(turn: Turn) -> Turn:
    """The turn after it was worked on, here and now."""
    asyncio.run(talk.say(turn.pk))
    return fresh(turn)


def fresh(turn: Turn) -> Turn:
    """The turn as it is saved, with its trace."""
    return Turn.objects.with_trace().get(pk=turn.pk)


def stages(turn: Turn) -> dict[str, tuple[str, str]]:
    """Status and error by stage."""
    return {stage.name: (stage.status, stage.error) for stage in turn.stages.all()}


def evidence(turn: Turn, stage: str) -> dict[str, object]:
    """What a stage left behind."""
    evidence: dict[str, object] = turn.stages.get(name=stage).evidence
    return evidence


async def until(check: Callable[[], bool]) -> None:
    """Wait for a state while the event loop works on."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not check():
        assert time.monotonic() < deadline, "the state never came"
        await asyncio.sleep(0.01)
