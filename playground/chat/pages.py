"""What the chat's pages show: the turns of a branch."""

from dataclasses import dataclass, field
from uuid import uuid4

from characters.conversations.models import Conversation, Turn
from playground.chat.asking import Asking, explored
from playground.chat.learned import NOTHING, Learned, learned_in

SOURCES = {
    "identity": "identity",
    "persona": "persona",
    "examples": "examples",
    "lore": "lore",
    "client": "client",
    "background": "background",
    "primary": "primary",
    "supplemental": "supplemental",
    "memory": "memory",
    "connections": "connections",
    "history": "history",
}
"""Sections of a prompt whose hue a turn's footer shows."""


@dataclass(frozen=True, slots=True)
class TurnItem:
    """A turn in the chat."""

    number: int
    turn: Turn
    tries: int
    """Turns on the same message, this one included."""
    current: bool = False
    last: bool = False
    """Whether nothing was said after it."""
    learned: Learned = NOTHING
    explores: list[Asking] = field(default_factory=list)
    """Where everything that is remembered of what it asks about is explored."""

    @property
    def sources(self) -> list[str]:
        """What went into the prompt, in its order, each once."""
        sections = self.turn.prompt.get("sections", [])
        return list(dict.fromkeys(SOURCES[each["name"]] for each in sections if each["name"] in SOURCES))

    @property
    def failed_stages(self) -> int:
        """How many of its stages failed."""
        return sum(stage.status == "failed" for stage in self.turn.stages.all())


def items(conversation: Conversation, current: Turn | None = None) -> list[TurnItem]:
    """The turns of the newest branch; per message its newest turn, or `current`, the one whose trace is shown."""
    turns = Turn.objects.for_list().filter(message__conversation=conversation)
    by_message: dict[int, list[Turn]] = {}
    for turn in turns:
        shown = current if current and current.pk == turn.pk else turn
        by_message.setdefault(turn.message_id, []).append(shown)
    path = [message for message in conversation.path() if message.pk in by_message]
    learned = learned_in(conversation, path)
    asked = explored(conversation, turns)
    found: list[TurnItem] = []
    wanted = current.pk if current else None
    for number, message in enumerate(path, 1):
        tries = by_message[message.pk]
        turn = next((turn for turn in tries if turn.pk == wanted), tries[-1])
        new, more = learned.get(message.pk, NOTHING), asked.get(turn.pk, [])
        found.append(TurnItem(number, turn, len(tries), turn.pk == wanted, number == len(path), new, more))
    return found


def form_key() -> str:
    """A key that makes sending the same form twice one turn."""
    return uuid4().hex
