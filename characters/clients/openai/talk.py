"""What a program wants with its messages, which it says only by their order.

The person's text last is a message; the assistant's text last is a reply to go on with; a system line behind that asks
to go on, or is a quiet prompt (impersonate, a summary for the program itself): answered, and no memory of anybody.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal, Self, cast

from characters.clients.openai import chores
from characters.clients.openai.errors import RefusedError
from characters.clients.openai.lines import ClientLine
from characters.conversations.clients import Line

SYSTEM_CHARACTERS = 20_000
GO_ON = "Go on."
"""The message of a reply that goes on before the person has said anything: a greeting."""
Wants = Literal["message", "continue", "quiet", "chore"]

_ASKS_TO_GO_ON = re.compile(
    r"\b(?:continue|continuing|go on|carry on|keep (?:going|writing)|pick up where|resume|complete your)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Talk:
    """What a request wants answered."""

    wants: Wants
    text: str
    """The person's new message; of a quiet prompt, the prompt."""
    history: tuple[Line, ...] = ()
    system: str = ""
    name: str = ""
    prefill: str = ""
    """The reply to go on with."""

    @classmethod
    def of(cls, lines: Sequence[ClientLine], character: str = "", *, streamed: bool = False) -> Self:
        """Find out what the lines want of the character of that name. Raises `RefusedError` if none has a text."""
        if not lines or not lines[-1].text.strip():
            sentence = "No message has a text to answer. Send one with the role “user”."
            raise RefusedError(HTTPStatus.BAD_REQUEST, sentence, param="messages")
        end = max((place for place, line in enumerate(lines) if line.role != "system"), default=-1) + 1
        spoken = [line for line in lines if line.role != "system"]
        behind = [line.text for line in lines[end:]]
        system = [line for line in lines if line.role == "system"]
        goes_on = bool(spoken) and spoken[-1].role == "assistant"
        if goes_on and (not behind or any(map(_ASKS_TO_GO_ON.search, behind))):
            return cls._going_on(spoken, _joined(system))
        if chores.is_chore(lines, character, streamed=streamed):
            return cls("chore", lines[-1].text)
        if spoken and spoken[-1].role == "user":
            newest = spoken[-1]
            return cls("message", newest.text, _history(spoken[:-1]), _joined(system), newest.name)
        return cls("quiet", system[-1].text, _history(spoken), _joined(system[:-1]))

    @classmethod
    def _going_on(cls, spoken: Sequence[ClientLine], system: str) -> Self:
        asked = max((place for place, line in enumerate(spoken) if line.role == "user"), default=-1)
        prefill = spoken[-1].text  # alone: what stands before it may be another's, in a group
        if asked < 0:
            return cls("quiet", GO_ON, (), system, prefill=prefill)
        return cls("continue", spoken[asked].text, _history(spoken[:asked]), system, spoken[asked].name, prefill)


def _history(spoken: Iterable[ClientLine]) -> tuple[Line, ...]:
    return tuple(Line(cast(Literal["user", "assistant"], line.role), line.text) for line in spoken)


def _joined(system: Iterable[ClientLine]) -> str:
    """Return the program's own text; a line that has a name is somebody's, in an example of talk."""
    texts = (f"{line.name}: {line.text.strip()}" if line.name else line.text.strip() for line in system)
    return "\n\n".join(texts)[:SYSTEM_CHARACTERS]
