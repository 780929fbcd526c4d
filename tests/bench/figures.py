"""A row of the benchmark, and how it is shown."""

import statistics
from collections.abc import Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """One figure per repeat."""

    name: str
    values: Sequence[float]
    unit: str = "ms"
    goal: str = ""


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
