"""A reply as it arrives from the language model, bounded in tries and in length."""

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass, field

from django.conf import settings

from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import ChatRequest, LanguageModel, Usage

MOST_CHARACTERS = 100_000
CHARACTERS_OF_A_TOKEN = 10


@dataclass(slots=True)
class Progress:
    """The part of a reply that has arrived."""

    raw: str = ""
    prefill: str = ""
    """The reply that goes on with `raw`."""
    began: float = field(default_factory=time.perf_counter)
    first_token_ms: float | None = None
    usage: Usage = field(default_factory=Usage)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set with every piece; a follower of the reply clears it."""
    left: bool = False
    """Whether the reader has left: the reply is stopped."""

    @property
    def text(self) -> str:
        """Return the text to save."""
        return self.prefill + storable(self.raw)

    @property
    def sendable(self) -> str:
        """Return the text that can be sent: without the first half of a character whose other half is still to come."""
        ends_in_half = self.raw and "\ud800" <= self.raw[-1] <= "\udbff"
        return storable(self.raw[:-1] if ends_in_half else self.raw)

    @property
    def elapsed_ms(self) -> float:
        """Return milliseconds since the model was asked."""
        return (time.perf_counter() - self.began) * 1000

    def add(self, piece: str) -> None:
        """Add the next piece."""
        if piece and self.first_token_ms is None:
            self.first_token_ms = self.elapsed_ms
            self.arrived.set()
        self.raw += piece
        self.changed.set()


def storable(text: str) -> str:
    """Return `text` with U+FFFD for null bytes and lone surrogates; some endpoints send the two halves in two
    pieces.
    """
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return joined.replace("\0", "\ufffd")


async def read_reply(model: LanguageModel, request: ChatRequest, progress: Progress) -> None:
    """Read the reply. Try once more after a transient error, before the first token and within the time-out."""
    for is_last in (False, True):
        try:
            await _stream(model, request, progress)
        except StoreError as error:
            spent = progress.elapsed_ms / 1000 >= settings.CONFIG.llm_timeout
            if is_last or progress.raw or spent or not error.retryable:
                raise
        else:
            return


async def _stream(model: LanguageModel, request: ChatRequest, progress: Progress) -> None:
    """Add all pieces to `progress`, up to the longest reply: some models never end, whatever limit was asked for."""
    most = max(MOST_CHARACTERS, settings.CONFIG.llm_reply_tokens * CHARACTERS_OF_A_TOKEN)
    async with aclosing(model.stream(request, progress.usage)) as pieces:
        async for piece in pieces:
            progress.add(piece[: most - len(progress.raw)])
            if len(progress.raw) >= most:
                progress.usage.truncated = True
                return
