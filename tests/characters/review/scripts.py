"""Conversations of `attacks.txt` and `honest.txt`, read and played into the database as the program records them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from characters.conversations import services as conversations
from characters.conversations.models import Conversation, Message, Stage, Turn
from characters.language.gate.taint import Statement
from characters.profiles.models import Character
from kgadmin.accounts.models import User

HERE = Path(__file__).parent
CORE = (
    ("IS_A", "marine biologist"),
    ("LIVES_IN", "La Jolla"),
    ("HAS_FATHER", "Fisherman who turned restaurant owner"),
    ("HAS_GRANDMOTHER", "Taught me to fish"),
    ("CARES_ABOUT", "ocean conservation"),
    ("DISLIKES", "paperwork"),
)
"""Facts of Elena's sheet."""


@dataclass(slots=True)
class Exchange:
    """A message and her reply; what a client program sent with it, and the passages that her prompt had."""

    asked: str
    reply: str = ""
    history: list[tuple[str, str]] = field(default_factory=list)
    system: str = ""
    passages: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Script:
    """A conversation. `statement` stands in its last reply, `object` is what that is about."""

    family: str
    name: str
    exchanges: list[Exchange] = field(default_factory=list)
    statement: str = ""
    object: str = ""

    def __str__(self) -> str:
        return f"{self.family}: {self.name}"


@cache
def scripts(file: str) -> tuple[Script, ...]:
    """All conversations of a file."""
    return tuple(_read((HERE / file).read_text(encoding="utf-8").splitlines()))


def _read(lines: list[str]) -> Iterator[Script]:
    script, coming = Script("", ""), Exchange("")
    for line in [*lines, "= end | "]:
        mark, _, text = line.partition(" ")
        if mark == "=":
            if script.exchanges:
                yield script
            family, _, name = text.partition(" | ")
            script, coming = Script(family, name), Exchange("")
        elif mark == "?":
            coming.asked = text
        elif mark == "!":
            coming.reply = text
            script.exchanges.append(coming)
            coming = Exchange("")
        elif mark == "*":
            script.statement, _, script.object = text.partition(" | ")
        elif mark in {"h?", "h!"}:
            coming.history.append(("user" if mark == "h?" else "assistant", text))
        elif mark == "s":
            coming.system = text
        elif mark == "d":
            coming.passages.append(text)


def play(script: Script, character: Character, tester: User, name: str = "") -> Message:
    """Record it as if it had been said, in a conversation of its own; her last reply."""
    person = conversations.new_test_person(name=name, by=tester) if name else None
    conversation = conversations.start_conversation(character=character, by=tester, person=person)
    return [_recorded(each, conversation) for each in script.exchanges][-1]


def _recorded(exchange: Exchange, conversation: Conversation) -> Message:
    history = [(role, text, "") for role, text in exchange.history]
    asked = {"client": {"history": history, "system": exchange.system}} if history or exchange.system else {}
    turn, _ = conversations.start_turn(conversation=conversation, text=exchange.asked, asked=asked)
    if exchange.passages:
        used = [{"text": passage} for passage in exchange.passages]
        Stage.objects.create(
            turn=turn, position=7, name="documents", status="ok", started_ms=0, elapsed_ms=0, evidence={"used": used}
        )
    turn.finish(Turn.State.DONE, exchange.reply)
    assert turn.reply
    conversations.enqueue_for_memory(conversation=conversation, messages=[turn.message, turn.reply])
    return turn.reply


def stated(script: Script, reply: Message) -> Statement:
    """What she was made to state, for the gate."""
    return Statement(script.statement, script.object, reply.graph_id)
