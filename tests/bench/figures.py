"""A row of the benchmark, how it is shown, and the processes with filled stores that are asked for times."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
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


@dataclass(frozen=True)
class World:
    """What a store holds: a person of 1,000 facts who talks, others, and knowledge bases."""

    own_messages: int = 5_000
    """Messages of the person who talks."""
    edges: int = 0
    """Edges of these messages in the graph, beside those from the person."""
    talk: int = 0
    """Messages of the conversation that goes on; 0: each has 20 turns."""
    others: int = 0
    messages: int = 200
    """Messages of each of the others, and facts about each."""
    facts: int = 1_000
    bases: int = 0
    chunks: int = 2_000


class Store:
    """A process with a world. It ends where its input does."""

    def __init__(self, world: World) -> None:
        command = [sys.executable, "-m", "tests.bench.store", json.dumps(asdict(world))]
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
