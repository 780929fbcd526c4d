"""The one error of all outside engines, and a breaker that skips an engine for a while after it failed."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SKIP_SECONDS = 5.0


class StoreError(Exception):
    """An outside engine failed: a sentence for the user, and whether the same call may succeed later."""

    def __init__(self, message: str, *, retryable: bool = True) -> None:
        super().__init__(message)
        self.message = message
        self.retryable = retryable


class Breaker:
    """Skips a store for a while after it did not answer: a turn pays its time-out once, not per call."""

    def __init__(self, store: str, *, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._now = now
        self._skip_until = 0.0

    @property
    def is_open(self) -> bool:
        """Return whether calls are skipped at the moment."""
        return self._now() < self._skip_until

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Guard one call: a retryable `StoreError` opens the breaker. Raises `StoreError` at once while it is open."""
        if self.is_open:
            left = self._skip_until - self._now()
            raise StoreError(f"{self._store} did not answer a moment ago; it is asked again in {left:.0f} s.")
        try:
            yield
        except StoreError as error:
            if error.retryable:
                self._skip_until = self._now() + SKIP_SECONDS
            raise

    def reset(self) -> None:
        """Let the next call through."""
        self._skip_until = 0.0
