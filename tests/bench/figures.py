"""A row of the benchmark, how it is shown, and the processes with filled stores that are asked for times."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from kgadmin.config import ROOT


class Row(NamedTuple):
    """One figure per repeat."""

    name: str
    values: Sequence[float]
    unit: str = "ms"
    goal: str = ""


def took(work: Callable[[], object]) -> float:
    """How long it takes, in ms."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def times(work: Callable[[], object], count: int) -> list[float]:
    """The same so many times."""
    return [took(work) for _ in range(count)]


def p50(times: Sequence[float]) -> float:
    """The median."""
    return statistics.median(times)


def p95(times: Sequence[float]) -> float:
    """The 95th percentile, by linear interpolation."""
    return statistics.quantiles(times, n=20, method="inclusive")[18]


def show(row: Row) -> None:
    """The median of the repeats with the least and the most of them."""
    middle, least, most = statistics.median(row.values), min(row.values), max(row.values)
    goal = f"goal: {row.goal}" if row.goal else ""
    print(f"{row.name:<62} {middle:9.2f} {row.unit:<3} ({least:.2f} to {most:.2f}) {goal}", flush=True)


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
