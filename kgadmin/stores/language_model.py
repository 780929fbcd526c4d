"""Language models: requests, usage, completions."""

from abc import abstractmethod
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from kgadmin.stores.model_list import ModelList


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message of a chat, in OpenAI's roles."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Grounding:
    """Sentences that the turn assembled, best first, for the offline responder."""

    speaker: str
    facts: tuple[str, ...] = ()
    """First-person sentences about the speaker."""
    passages: tuple[tuple[str, str], ...] = ()
    """(name of the document, its most fitting text)."""
    known: tuple[str, ...] = ()
    """Sentences about the person, and what both share."""
    recalled: tuple[tuple[str, str, str], ...] = ()
    """(when, what the person said then, what they said later that corrects or continues it)."""
    prefill: str = ""
    """The reply to go on with; then the last message is the request to do so."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A call of a language model."""

    messages: tuple[ChatMessage, ...]
    grounding: Grounding
    max_tokens: int
    model: str = ""
    """Name of the model to ask; empty for the configured one, which also answers where there is none of that name."""
    stop: tuple[str, ...] = ()
    """Texts before which the reply ends."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Further parameters by OpenAI's names ("temperature", "seed"); what the endpoint refuses is left out."""


@dataclass(slots=True)
class Usage:
    """What is known of a call while its reply streams; tokens are None if the endpoint reports nothing."""

    model: str = ""
    """Name of the model that was asked."""
    missing: str = ""
    """Name of the model that should have been asked, and isn't offered."""
    parameters: Mapping[str, float | str] = field(default_factory=dict)
    """Parameters that were sent, by OpenAI's names: numbers and words."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    truncated: bool = False
    """Whether the reply ended at `max_tokens`."""
    left_out: tuple[str, ...] = ()
    """Options that the endpoint refused."""


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """A question of a job, whose answer is JSON that fits `schema` (JSON Schema, also in the prompt)."""

    messages: tuple[ChatMessage, ...]
    schema_name: str
    """Name of the schema: letters, digits and underscores."""
    schema: Mapping[str, Any]
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer as it came: endpoints may accept a schema and ignore it, so the caller validates."""

    text: str
    usage: Usage


class LanguageModel(Protocol):
    """Writes a reply to messages."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the name that pages show."""

    @property
    @abstractmethod
    def judges(self) -> bool:
        """Return whether it can be asked to judge and to extract: whether `complete` works at all."""

    @abstractmethod
    def models(self, wait: float = 0.0) -> ModelList:
        """Return the models that can be named, as listed lately. Waits at most `wait` seconds for a new list; without,
        a list that is old is only begun to be asked for.
        """

    @abstractmethod
    def stream(self, request: ChatRequest, usage: Usage) -> AsyncGenerator[str, None]:
        """Yield the reply's text piece by piece; cancelling the iteration closes the connection.

        A caller that stops early must close the generator (`contextlib.aclosing`). Raises `StoreError` if the call is
        refused, no token arrives in time, the reply is cut off or empty, or isn't a stream of chat completions. One
        try; the caller decides about a second.
        """

    @abstractmethod
    def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer to a job's question, by one try. Raises `StoreError`. Blocks: not for event loops."""
