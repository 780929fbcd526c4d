"""`make bench`: figures, not tests. Medians of interleaved repeats; the spread says how noisy the machine was.

python -m tests.bench [--people 100] [--turns 60] [--repeats 5]
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from kgadmin.config import ROOT
from tests.bench import alone

FIRST_PASS = 400
STAGES = ("ambient", "memory", "user_facts", "probe", "background", "turn")


class Store:
    """A process with filled stores (`tests.bench.store`)."""

    def __init__(self, people: int, messages: int, facts: int) -> None:
        command = [sys.executable, "-m", "tests.bench.store", *map(str, (people, messages, facts))]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.times: dict[str, list[float]] = {}

    def wait(self) -> None:
        assert self._process.stdout is not None
        if self._process.stdout.readline() != "ready\n":
            sys.exit("A store of the benchmark ended before it was filled.")

    def ask(self, what: str, count: int) -> dict[str, list[float]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{what} {count}\n")
        self._process.stdin.flush()
        answer: dict[str, list[float]] = json.loads(self._process.stdout.readline())
        return answer

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)


def p95(times: Sequence[float]) -> float:
    """The 95th percentile, by linear interpolation."""
    return statistics.quantiles(times, n=20, method="inclusive")[18]


def show(name: str, values: Sequence[float], unit: str = "ms", goal: str = "") -> None:
    """One row: the median of the repeats with the least and the most of them."""
    middle, least, most = statistics.median(values), min(values), max(values)
    print(f"{name:<58} {middle:9.2f} {unit:<5} ({least:.2f} to {most:.2f}) {goal}", flush=True)


def stores(args: argparse.Namespace) -> None:
    """The same person in a store of heavy people, and in one of many light ones."""
    began = time.monotonic()
    heavy, light = Store(args.people - 1, 5_000, 1_000), Store(args.people * 10, 50, 50)
    for store in (heavy, light):
        store.wait()
    took = time.monotonic() - began
    print(f"Filled {args.people} people of 5,000 messages, and {args.people * 10} of 50, in {took:.0f} s.")
    repeats: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for _ in range(args.repeats):
        repeats.append((heavy.ask("turns", args.turns), light.ask("turns", args.turns)))
    for stage in STAGES:
        mine = [p95(here[stage]) for here, _ in repeats]
        there = [p95(other[stage]) for _, other in repeats]
        goal = "goal: under 15" if stage in {"ambient", "memory"} else ""
        show(f"{stage}: p95, person of 5,000 among {args.people} like her", mine, goal=goal)
        show(f"{stage}: p95, the same among {args.people * 10} of 50", there)
        show(f"{stage}: ratio of the two", [b / a for a, b in zip(mine, there, strict=True)], "x", "goal: at most 1.3")
    found = heavy.ask("projections", 20)
    show("after a turn: projection without the embedding, p95", [p95(found["project"])], goal="goal: under 100")
    show("after a turn: embedding of one message, p95", [p95(found["embed"])])
    passes = [light.ask("first_pass", FIRST_PASS) for _ in range(args.repeats)]
    rates = [100 * found["embed"][0] / found["link"][0] for found in passes]
    show(f"first pass of {FIRST_PASS} messages: rate by the bare embedder's", rates, "%", "goal: at least 70")
    for store in (heavy, light):
        store.end()


def main() -> None:
    parser = argparse.ArgumentParser(description="Times what the design gives a figure for.")
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    for name, values, unit, goal in alone.rows(args.repeats):
        show(name, values, unit, goal)
    stores(args)


if __name__ == "__main__":
    main()
