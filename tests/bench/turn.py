"""The turn's own work, stage by stage, against what no turn can do without."""

import json
import os
import statistics
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from characters.turn.trace import BUDGETS_MS
from tests.bench.figures import Row, Store, World, filled, p50, p95

BASES, PEOPLE, MESSAGES, FACTS = 3, 9, 200, 1_000

VISITS = 30

Times = dict[str, list[float]]


def rows(args: Namespace) -> Iterator[Row]:
    """At 3 bases of 2,000 chunks and 10,000 facts. Each turn stands beside its floor in the same run."""
    print(f"{BASES} bases of 2,000 chunks, {PEOPLE + 1} people with {FACTS:,} facts each.")
    with filled(Store(World(others=PEOPLE, messages=MESSAGES, bases=BASES))) as (store,):
        repeats = [store.ask("floor", args.turns) for _ in range(args.repeats)]
    yield Row("turn: p50", [p50(each["turn"]) for each in repeats])
    yield Row("turn: p95", [p95(each["turn"]) for each in repeats], goal="at most 40")
    yield Row("outside of stages: p50", [p50(each["outside of stages"]) for each in repeats])
    yield Row("outside of stages: p95", [p95(each["outside of stages"]) for each in repeats])
    yield Row("floor: p50", [p50(each["floor"]) for each in repeats])
    yield Row("floor: p95", [p95(each["floor"]) for each in repeats])
    yield Row("turn by floor, p95", [p95(each["turn"]) / p95(each["floor"]) for each in repeats], "x", "at most 3")
    for stage, budget in BUDGETS_MS.items():
        yield Row(f"{stage}: p95", [p95(each[stage]) for each in repeats], goal=f"at most {budget}")
    if path := os.environ.get("BENCH_JSON"):
        Path(path).write_text(json.dumps(_figures(repeats), indent=2) + "\n")


def large_rows(args: Namespace) -> Iterator[Row]:
    """The same at 10 bases of 10,000 chunks."""
    print("10 bases of 10,000 chunks.")
    with filled(Store(World(others=PEOPLE, messages=MESSAGES, bases=10, chunks=10_000))) as (store,):
        repeats = [store.ask("floor", args.turns) for _ in range(args.repeats)]
    yield Row("turn of 10 bases: p50", [p50(each["turn"]) for each in repeats])
    yield Row("turn of 10 bases: p95", [p95(each["turn"]) for each in repeats], goal="at most 70")
    yield Row("its floor: p50", [p50(each["floor"]) for each in repeats])
    yield Row("its floor: p95", [p95(each["floor"]) for each in repeats])


def page_rows(args: Namespace) -> Iterator[Row]:
    """Pages with 100,000 turns of a month and 10,000 proposals stored: in this process, with database and engines."""
    with filled(Store(World(others=1, messages=50, facts=50, bases=1))) as (store,):
        repeats = [store.ask("pages", VISITS) for _ in range(args.repeats)]
    for name in repeats[0]:
        yield Row(f"{name}: p95", [p95(each[name]) for each in repeats], goal="at most 100")


def _figures(repeats: list[Times]) -> dict[str, object]:
    """Medians of the repeats."""

    def median(stage: str, of: Callable[[Sequence[float]], float]) -> float:
        return round(statistics.median(of(each[stage]) for each in repeats), 2)

    stages = {
        stage: {"p50_ms": median(stage, p50), "p95_ms": median(stage, p95), "budget_ms": budget}
        for stage, budget in BUDGETS_MS.items()
    }
    turn = {"turn_p50_ms": median("turn", p50), "turn_p95_ms": median("turn", p95)}
    return {**turn, "floor_p95_ms": median("floor", p95), "stages": stages}
