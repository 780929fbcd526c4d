"""Processes with filled stores (`tests.bench.store`), asked for times."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.bench.asked import Asked


class Store(Asked):
    """A person of 5,000 messages and 1,000 facts, `people` others of so many, and `bases` of 2,000 chunks."""

    def __init__(self, people: int, messages: int, facts: int, bases: int = 0) -> None:
        super().__init__("store", people, messages, facts, bases)

    def ask(self, what: str, count: int) -> dict[str, list[float]]:
        self.send(what, count)
        answer: dict[str, list[float]] = self.answer()
        return answer


@contextmanager
def filled(*stores: Store) -> Iterator[Sequence[Store]]:
    """The stores when all are filled; they end with the block."""
    began = time.monotonic()
    try:
        for store in stores:
            assert store.answer() == "ready"
        print(f"Filled in {time.monotonic() - began:.0f} s.", flush=True)
        yield stores
    finally:
        for store in stores:
            store.end()
