"""What has arrived of a reply."""

import asyncio
import time
from dataclasses import dataclass, field

from kgadmin.stores.language_model import Usage


@dataclass(slots=True)
class Progress:
    """What has arrived of a reply."""

    said: str = ""
    """As the model said it."""
    began: float = field(default_factory=time.perf_counter)
    first_token_ms: float | None = None
    usage: Usage = field(default_factory=Usage)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set with every piece; whoever follows the reply clears it."""
    left: bool = False
    """Whether the one for whom the reply was made has gone: it is stopped."""

    @property
    def text(self) -> str:
        """As it is saved."""
        return storable(self.said)

    @property
    def whole(self) -> str:
        """What of it can be sent on: without the first half of a character whose other half is still to come."""
        ends_in_half = self.said and "\ud800" <= self.said[-1] <= "\udbff"
        return storable(self.said[:-1] if ends_in_half else self.said)

    @property
    def elapsed_ms(self) -> float:
        """Since the model was asked."""
        return (time.perf_counter() - self.began) * 1000

    def begin(self) -> None:
        """The model is asked now."""
        self.began = time.perf_counter()

    def add(self, piece: str) -> None:
        """Take the next piece."""
        if piece and self.first_token_ms is None:
            self.first_token_ms = self.elapsed_ms
            self.arrived.set()
        self.said += piece
        self.changed.set()

    def leave(self) -> None:
        """Nobody waits for the reply any more."""
        self.left = True


def storable(text: str) -> str:
    """`text` with U+FFFD for what an engine can't store: null bytes, and halves of characters without their others.

    JSON escapes a character beyond U+FFFF as two halves, and some endpoints send them in two pieces.
    """
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\0", "\ufffd")
