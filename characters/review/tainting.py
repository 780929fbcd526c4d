"""Whether she was led to a statement: by everything that was recorded before she said it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from characters.conversations.models import Conversation, Message, Turn
from characters.domain.sheet import Sheet
from characters.language.gate import taint
from characters.language.gate.taint import Reason, Said, Statement, Taint
from characters.review import recorded
from characters.review.private import Names
from characters.review.recorded import Prompts

VERSION = f"{taint.VERSION}.1"


class Hearing:
    """What was recorded of conversations, each read once, however many statements are judged by it."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._conversations: dict[int, _Recorded] = {}
        self._names: dict[int, Names] = {}
        self._replies: dict[int, Heard] = {}

    def before(self, reply: Message) -> "Heard":
        """What the server has of the reply's conversation and of its turn's prompt."""
        if reply.pk not in self._replies:
            turn: Turn | None = getattr(reply, "replied_by", None)
            said, prompts = self._conversation(reply.conversation)
            told = prompts.told(turn) if turn else []
            passages = prompts.passages(turn) if turn else []
            self._replies[reply.pk] = Heard(reply, self._names_of(reply), [*told, *said], passages)
        return self._replies[reply.pk]

    def _conversation(self, of: Conversation) -> "_Recorded":
        if of.pk not in self._conversations:
            self._conversations[of.pk] = _Recorded(recorded.conversation(of), recorded.prompts(of))
        return self._conversations[of.pk]

    def _names_of(self, reply: Message) -> Names:
        person = reply.conversation.person
        if person.pk not in self._names:
            self._names[person.pk] = Names([person], self._sheet)
        return self._names[person.pk]


class _Recorded(NamedTuple):
    """Of one conversation."""

    said: Sequence[Said]
    prompts: Prompts


@dataclass(frozen=True, slots=True)
class Heard:
    """All that may have led her when she wrote one reply."""

    reply: Message
    private: Names
    said: Sequence[Said]
    passages: Sequence[str]

    def judge(self, start: int, end: int, object: str) -> Taint:
        """Of the words of the reply from `start` to `end`."""
        words = self.reply.text[start:end]
        judged = taint.judge(self.said, Statement(words, object, self.reply.graph_id), self.passages)
        names = self.private.within(f"{words} {object}")
        if not names:
            return judged
        told = f"Names {names[0]}, whom only this person told her of"
        reason = Reason("private", self.reply.graph_id, told, names[0], f"{told}.")
        return replace(judged, kind="private", is_tainted=True, reasons=(reason, *judged.reasons))
