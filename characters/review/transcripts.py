"""A conversation as the server recorded it, and whether a statement was elicited by what precedes it."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from characters.conversations.models import Conversation, Memory, Message, Stage, Turn
from characters.domain.sheet import Sheet, is_learned
from characters.language.gate import taint
from characters.language.gate.suspicion import shipped
from characters.language.gate.taint import Reason, Statement, Taint, Utterance
from characters.review.objections import PrivateNames

VERSION = f"{taint.VERSION}.1"
_OF_PERSON = ("user_facts", "ambient", "memory")
_DOCUMENTS = "documents"


def message_pk(name: str) -> int | None:
    """Return the id in a message's name, such as "message:12"; None for anything else."""
    kind, _, number = name.partition(":")
    return int(number) if kind == "message" and number.isdecimal() else None


def transcript(conversation: Conversation) -> list[Utterance]:
    """Return all messages of both sides and all branches, the oldest first; before them, what client programs sent.

    A client may leave messages out of its history, or add replies that the character never gave: recorded messages are
    always included, and a reply that no turn of this program wrote isn't the character's own.
    """
    rows = list(conversation.messages.order_by("pk").select_related("replied_by"))
    recorded = [as_recorded(row) for row in rows]
    supplied: list[Utterance] = []
    before: set[tuple[str, str]] = set()
    waiting = deque(zip(rows, recorded, strict=True))
    turns = Turn.objects.filter(message__conversation=conversation).only("request", "message_id")
    for turn in turns.order_by("message_id", "pk"):
        # What is recorded after the turn, in the same words, doesn't make a supplied line the character's own.
        while waiting and waiting[0][0].pk < turn.message_id:
            before.add(_plain(waiting.popleft()[1]))
        supplied += [line for line in _supplied(turn) if _plain(line) not in before]
    return supplied + recorded


def as_recorded(row: Message) -> Utterance:
    """Return a message as the gate reads it; a reply is the character's own if a turn wrote it, or it is a greeting."""
    is_reply = row.role == Message.Role.ASSISTANT
    usable = row.vector is not None and row.embedder == shipped().embedder
    return Utterance(
        id=row.graph_id,
        by="character" if is_reply else "person",
        text=row.text,
        is_own=not is_reply or hasattr(row, "replied_by") or row.memory == Memory.GREETING,
        vector=np.frombuffer(row.vector, dtype=np.float32) if usable and row.vector else None,
    )


def _supplied(turn: Turn) -> Iterator[Utterance]:
    """Return what a client program sent with this turn: its history, and its system prompt."""
    client = turn.request.get("client", {})
    for number, (role, text, *_) in enumerate(client.get("history") or ()):
        by = "character" if role == "assistant" else "person"
        yield Utterance(f"turn:{turn.pk}/history:{number}", by, text, is_own=False)  # type: ignore[arg-type]
    if client.get("system"):
        yield Utterance(f"turn:{turn.pk}/system", "person", client["system"])


def _plain(line: Utterance) -> tuple[str, str]:
    return line.by, " ".join(line.text.split())


class Place(NamedTuple):
    """A place in a prompt: the turn's id, and the name of the item that held it."""

    turn: int
    id: str


@dataclass(frozen=True, slots=True)
class Prompts:
    """Contents of a conversation's prompts beside its messages, by the turn that had them first."""

    about_person: Mapping[str, Place]
    passages: Mapping[str, Place]

    @classmethod
    def of(cls, conversation: Conversation) -> "Prompts":
        prompts = cls({}, {})
        stages = Stage.objects.filter(turn__message__conversation=conversation, name__in=[*_OF_PERSON, _DOCUMENTS])
        for stage in stages.order_by("turn", "position"):
            texts: Any = prompts.passages if stage.name == _DOCUMENTS else prompts.about_person
            for item in _used(stage.evidence):
                if text := item.get("text") or item.get("sentence"):
                    name = str(item.get("id", ""))
                    is_message = message_pk(name) is not None  # a recollection; its reason names it
                    place = name if is_message else f"turn:{stage.turn_id}/{stage.name}"
                    texts.setdefault(text, Place(stage.turn_id, place))
        return prompts


def recited_learned(reply: Message) -> bool:
    """Return whether the prompt of this reply had a learned fact."""
    background = Stage.objects.filter(turn__reply=reply, name="background").first()
    used = _used(background.evidence) if background else ()
    return any(is_learned(str(item.get("id", ""))) for item in used)


def _used(evidence: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name in ("used", "common"):
        for item in evidence.get(name) or ():
            yield item
            yield from item.get("qualified") or ()


class ConversationContext:
    """The record of conversations, each read once, however many statements are judged by it."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._conversations: dict[int, tuple[list[Utterance], Prompts]] = {}
        self._names: dict[int, PrivateNames] = {}
        self._replies: dict[int, ReplyContext] = {}

    def before(self, reply: Message) -> "ReplyContext":
        """Return the recorded messages before the reply, and the prompts until its turn."""
        if reply.pk not in self._replies:
            conversation = reply.conversation
            if conversation.pk not in self._conversations:
                self._conversations[conversation.pk] = transcript(conversation), Prompts.of(conversation)
            if conversation.person_id not in self._names:
                self._names[conversation.person_id] = PrivateNames([conversation.person], self._sheet)
            messages, prompts = self._conversations[conversation.pk]
            turn: Turn | None = getattr(reply, "replied_by", None)
            last = turn.pk if turn else 0
            facts = [
                Utterance(first.id, "person", text)
                for text, first in prompts.about_person.items()
                if first.turn <= last
            ]
            passages = [text for text, first in prompts.passages.items() if first.turn <= last]
            names = self._names[conversation.person_id]
            self._replies[reply.pk] = ReplyContext(reply, names, [*facts, *messages], passages)
        return self._replies[reply.pk]


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """Everything that may have elicited the statements of one reply."""

    reply: Message
    private: PrivateNames
    messages: Sequence[Utterance]
    passages: Sequence[str]

    def judge(self, start: int, end: int, object: str) -> Taint:
        """Return the taint of the statement from `start` to `end` of the reply."""
        words = self.reply.text[start:end]
        judged = taint.judge(self.messages, Statement(words, object, self.reply.graph_id), self.passages)
        names = self.private.within(f"{words} {object}")
        if not names:
            return judged
        sentence = f"Names {names[0]}, known only from this person"
        reason = Reason("private", self.reply.graph_id, sentence, names[0], f"{sentence}.")
        return replace(judged, kind="private", is_tainted=True, reasons=(reason, *judged.reasons))
