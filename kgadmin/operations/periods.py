"""Periods of which the dashboard and the figures of bases are."""

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Period:
    """A period, in hours, and the steps of its charts."""

    key: str
    label: str
    hours: int
    step: int

    @property
    def steps(self) -> int:
        """Return how many points a chart has."""
        return self.hours // self.step

    def first(self) -> int:
        """Return the period's first hour, counted since 1970; its last one is the present hour."""
        return int(time.time()) // 3600 - self.hours + 1


PERIODS = {
    "24h": Period("24h", "24 hours", 24, 1),
    "7d": Period("7d", "7 days", 7 * 24, 12),
    "30d": Period("30d", "30 days", 30 * 24, 24),
}
