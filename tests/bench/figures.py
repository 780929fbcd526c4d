"""A row of the benchmark, and how it is shown."""

import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple


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
