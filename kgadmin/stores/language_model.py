"""Messages to a reply."""

from abc import abstractmethod
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a chat, in OpenAI's roles."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Grounding:
    """What the offline responder says in place of a model: sentences that the turn assembled, best first."""

    speaker: str
    facts: tuple[str, ...] = ()
    """First-person sentences about the speaker."""
    passages: tuple[tuple[str, str], ...] = ()
    """(name of the document, its most fitting text)."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One call of a language model."""

    messages: tuple[ChatMessage, ...]
    grounding: Grounding
    max_tokens: int


@dataclass(slots=True)
class Usage:
    """Filled in while a reply streams, by what the endpoint reports; None where it reports nothing."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class LanguageModel(Protocol):
    """Messages to a reply."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What the page calls it."""

    @abstractmethod
    def stream(self, request: ChatRequest, usage: Usage) -> AsyncGenerator[str, None]:
        """The reply's text, piece by piece; a cancelled iteration closes the connection.
        Who stops in the middle closes it (`contextlib.aclosing`).

        Raises `StoreError` for every way of failing: refused, no token within the time-out, cut in the middle,
        something else than a stream of chat completions, nothing said. One try; who calls decides about a second.
        """
