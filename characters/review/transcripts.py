"""A conversation as the server recorded it, and whether she was led to a statement by what stood there before."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from characters.conversations.models import Conversation, Memory, Message, Stage, Turn
from characters.domain.sheet import Sheet, is_learned
from characters.language.gate import taint
from characters.language.gate.taint import Reason, Said, Statement, Taint
from characters.language.gate.weights import shipped
from characters.review.private import Names


def conversation(of: Conversation) -> list[Said]:
    """Every message of both sides, other branches too, the oldest first; and what client programs sent as history.

    A client may leave out what was said, or put words into her mouth: what is saved is there anyway, and a reply that
    no turn of this program wrote isn't hers.
    """
    rows = list(of.messages.order_by("pk").select_related("replied_by"))
    found = [as_said(row) for row in rows]
    supplied: list[Said] = []
    before: set[tuple[str, str]] = set()
    waiting = deque(zip(rows, found, strict=True))
    for turn in (
        Turn.objects.filter(message__conversation=of).only("request", "message_id").order_by("message_id", "pk")
    ):
        # What she says afterwards in the same words doesn't make a line that was supplied hers.
        while waiting and waiting[0][0].pk < turn.message_id:
            said = waiting.popleft()[1]
            before.add((said.by, _plain(said.text)))
        supplied += [line for line in _supplied(turn) if (line.by, _plain(line.text)) not in before]
    return supplied + found


def as_said(row: Message) -> Said:
    """A message as the gate reads it."""
    is_hers = row.role == Message.Role.ASSISTANT
    usable = row.vector is not None and row.embedder == shipped().embedder
    return Said(
        id=row.graph_id,
        by="character" if is_hers else "person",
        text=row.text,
        is_own=not is_hers or _is_own(row),
        vector=np.frombuffer(row.vector, dtype=np.float32) if usable and row.vector else None,
    )


def _is_own(row: Message) -> bool:
    """A reply of a turn, or the greeting with which she began."""
    return hasattr(row, "replied_by") or row.memory == Memory.GREETING


def _supplied(turn: Turn) -> Iterator[Said]:
    """What a client program sent with this turn: its history, and what it says to the model."""
    client = turn.request.get("client", {})
    for number, (role, text, *_) in enumerate(client.get("history") or ()):
        by = "character" if role == "assistant" else "person"
        yield Said(f"turn:{turn.pk}/history:{number}", by, text, is_own=False)  # type: ignore[arg-type]
    if client.get("system"):
        yield Said(f"turn:{turn.pk}/system", "person", client["system"])


def _plain(text: str) -> str:
    return " ".join(text.split())


class Place(NamedTuple):
    """Where a prompt held something: the turn's id, the stage's name; `source`, the message that it quoted."""

    turn: int
    stage: str
    source: str = ""

    @property
    def id(self) -> str:
        """What said it, as a reason names it."""
        return self.source or f"turn:{self.turn}/{self.stage}"


@dataclass(frozen=True, slots=True)
class Prompts:
    """What a conversation's prompts held beside its messages, by the turn that held it first.

    What she was told once she may repeat later.
    """

    of_person: Mapping[str, Place]
    documents: Mapping[str, Place]

    def told(self, turn: Turn) -> list[Said]:
        """What she was told of the person until this turn: their facts, and what they said in other conversations."""
        return [Said(first.id, "person", text) for text, first in self.of_person.items() if first.turn <= turn.pk]

    def passages(self, turn: Turn) -> list[str]:
        """The passages of documents until this turn."""
        return [text for text, first in self.documents.items() if first.turn <= turn.pk]


def prompts(of: Conversation) -> Prompts:
    """What the prompts of all its turns held."""
    of_person: dict[str, Place] = {}
    documents: dict[str, Place] = {}
    stages = Stage.objects.filter(turn__message__conversation=of, name__in=[*_OF_PERSON, _DOCUMENTS])
    for stage in stages.order_by("turn", "position"):
        texts = documents if stage.name == _DOCUMENTS else of_person
        for each in _used(stage.evidence):
            if text := each.get("text") or each.get("sentence"):
                texts.setdefault(text, Place(stage.turn_id, stage.name, _source(each)))
    return Prompts(of_person, documents)


def _source(used: Mapping[str, Any]) -> str:
    name = str(used.get("id", ""))
    return name if name.startswith("message:") else ""


def told_learned(reply: Message) -> bool:
    """Whether the turn of this reply told her something that she has learned."""
    background = Stage.objects.filter(turn__reply=reply, name="background").first()
    used = _used(background.evidence) if background else ()
    return any(is_learned(str(each.get("id", ""))) for each in used)


_OF_PERSON = ("user_facts", "ambient", "memory")
_DOCUMENTS = "documents"


def _used(evidence: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name in ("used", "common"):
        for each in evidence.get(name) or ():
            yield each
            yield from each.get("qualified") or ()


VERSION = f"{taint.VERSION}.1"


class ConversationContext:
    """What was recorded of conversations, each read once, however many statements are judged by it."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._conversations: dict[int, _Recorded] = {}
        self._names: dict[int, Names] = {}
        self._replies: dict[int, ReplyContext] = {}

    def before(self, reply: Message) -> "ReplyContext":
        """What the server has of the reply's conversation and of its turn's prompt."""
        if reply.pk not in self._replies:
            turn: Turn | None = getattr(reply, "replied_by", None)
            said, prompts = self._conversation(reply.conversation)
            told = prompts.told(turn) if turn else []
            passages = prompts.passages(turn) if turn else []
            self._replies[reply.pk] = ReplyContext(reply, self._names_of(reply), [*told, *said], passages)
        return self._replies[reply.pk]

    def _conversation(self, of: Conversation) -> "_Recorded":
        if of.pk not in self._conversations:
            self._conversations[of.pk] = _Recorded(conversation(of), prompts(of))
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
class ReplyContext:
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
