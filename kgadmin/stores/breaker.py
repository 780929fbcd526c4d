"""Skips a store for a while after it did not answer, so that a turn pays its time-out once and not per call."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kgadmin.stores.errors import StoreError

SKIP_SECONDS = 5.0


class Breaker:
    """Remembers when a store last failed. Threads may share one; the worst that a race costs is a call more."""

    def __init__(self, store: str, *, seconds: float = SKIP_SECONDS, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._seconds = seconds
        self._now = now
        self._skip_until = 0.0

    @property
    def is_open(self) -> bool:
        """Whether calls are skipped at the moment."""
        return self._now() < self._skip_until

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Run one call. A retryable `StoreError` opens the breaker; a refused statement says nothing of the store."""
        if self.is_open:
            left = self._skip_until - self._now()
            raise StoreError(f"{self._store} did not answer a moment ago; it is asked again in {left:.0f} s.")
        try:
            yield
        except StoreError as error:
            if error.retryable:
                self._skip_until = self._now() + self._seconds
            raise

    def reset(self) -> None:
        """Let the next call through."""
        self._skip_until = 0.0
