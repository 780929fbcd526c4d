"""Lines of the dashboard's small charts, as points of an SVG."""

from collections.abc import Sequence
from dataclasses import dataclass

from kgadmin.operations.dashboard import Period, Share, Times

WIDTH = 200
SHARE_HEIGHT = 36
TIME_HEIGHT = 64
ROOM = 1.1
"""Above the highest value."""

Values = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class ShareChart:
    """A share over time; its scale goes from none to all turns."""

    share: Share
    line: str
    area: str


@dataclass(frozen=True, slots=True)
class TimeChart:
    """A stage's p50 and p95 over time, with its budget."""

    times: Times
    p50: str
    p95: str
    limit: float


def share_chart(share: Share) -> ShareChart:
    """Lines need two points; of one there is the number alone."""
    line = points(share.steps, 1.0, SHARE_HEIGHT)
    if not line:
        return ShareChart(share, "", "")
    first, last = line.split(" ")[0].split(",")[0], line.split(" ")[-1].split(",")[0]
    return ShareChart(share, line, f"{first},{SHARE_HEIGHT} {line} {last},{SHARE_HEIGHT}")


def time_chart(times: Times, period: Period) -> TimeChart:
    """Each chart has its own scale: the budget and every p95 fit in."""
    top = ROOM * max([times.budget, *(p95 for _, p95 in times.steps.values())])
    steps = range(period.steps)
    p50s = [times.steps[step][0] if step in times.steps else None for step in steps]
    p95s = [times.steps[step][1] if step in times.steps else None for step in steps]
    limit = round(TIME_HEIGHT * (1 - times.budget / top), 1)
    return TimeChart(times, points(p50s, top, TIME_HEIGHT), points(p95s, top, TIME_HEIGHT), limit)


def points(values: Values, top: float, height: int) -> str:
    """ "0.0,36.0 8.7,12.5 ...": steps without a value are left out; empty for fewer than two."""
    across = WIDTH / max(1, len(values) - 1)
    shown = [
        f"{place * across:.1f},{height * (1 - value / top):.1f}"
        for place, value in enumerate(values)
        if value is not None
    ]
    return " ".join(shown) if len(shown) > 1 else ""
