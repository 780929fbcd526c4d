"""Messages to a reply."""

from abc import abstractmethod
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol


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
    known: tuple[str, ...] = ()
    """Sentences about whom she talks with, and what both share."""
    recalled: tuple[tuple[str, str], ...] = ()
    """(when, what they said then)."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One call of a language model."""

    messages: tuple[ChatMessage, ...]
    grounding: Grounding
    max_tokens: int
    stop: tuple[str, ...] = ()
    """Texts before which the reply ends."""
    temperature: float | None = None
    """None: as the endpoint has it."""


@dataclass(slots=True)
class Usage:
    """Filled in while a reply streams, by what the endpoint reports; None where it reports nothing."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    truncated: bool = False
    """Whether the reply ended at `max_tokens`."""


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One question of a job, whose answer is JSON that fits `schema` (JSON Schema, told in the prompt, too)."""

    messages: tuple[ChatMessage, ...]
    schema_name: str
    """Letters, digits and underscores."""
    schema: Mapping[str, Any]
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer as it came: an endpoint may accept a schema and not keep to it, so whoever asked validates."""

    text: str
    usage: Usage


class LanguageModel(Protocol):
    """Messages to a reply."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What the page calls it."""

    @property
    @abstractmethod
    def judges(self) -> bool:
        """Whether it can be asked to judge and to extract: whether `complete` works at all."""

    @abstractmethod
    def stream(self, request: ChatRequest, usage: Usage) -> AsyncGenerator[str, None]:
        """The reply's text, piece by piece; a cancelled iteration closes the connection.
        Who stops in the middle closes it (`contextlib.aclosing`).

        Raises `StoreError` for every way of failing: refused, no token within the time-out, cut in the middle,
        something else than a stream of chat completions, nothing said. One try; who calls decides about a second.
        """

    @abstractmethod
    def complete(self, request: CompletionRequest) -> Completion:
        """The whole answer to a job's question, by one try; not in an event loop's thread. Raises `StoreError`."""
