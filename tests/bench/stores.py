"""Processes with filled stores (`tests.bench.store`), asked for times."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kgadmin.config import ROOT


class Store:
    """A person of 5,000 messages (or `heavy`: messages, and edges beside those from the person) and 1,000 facts.

    Beside them `people` others of so many, and `bases` of 2,000 chunks. It ends where its input does.
    """

    def __init__(self, people: int, messages: int, facts: int, bases: int = 0, *heavy: int) -> None:
        command = [sys.executable, "-m", "tests.bench.store", *map(str, (people, messages, facts, bases, *heavy))]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, what: str, count: int) -> dict[str, list[float]]:
        assert self._process.stdin is not None
        print(what, count, file=self._process.stdin, flush=True)
        answer: dict[str, list[float]] = self.answer()
        return answer

    def answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit("A process of the benchmark ended before it had answered.")
        return json.loads(line)

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)


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
