"""Figures of a run, pure: accuracy, confusion matrix, precision and recall over a base's threshold."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Self

from characters.turn.choice import CLEAR
from playground.routing.models import NONE

STEPS = [round(0.1 + step / 50, 2) for step in range(31)]
"""Thresholds of a sweep, 0.10 to 0.70."""
LEAST_LABELS = 5
"""Labels that expect a base, and that don't, from which a threshold is suggested for it."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """What the probe chooses by a base's threshold: where the base has a hit, has none, and has a clear one."""

    best: float
    """Its highest similarity."""
    with_hit: str
    without: str
    alone: float = 0.0
    """Its highest similarity to the message alone, without the one that it follows up."""
    clear: str = NONE

    def chosen(self, threshold: float) -> str:
        """Return the slug that is chosen with this threshold."""
        if self.alone >= threshold + CLEAR:
            return self.clear
        return self.with_hit if self.best >= threshold else self.without


@dataclass(frozen=True, slots=True)
class Outcome:
    """One labelled message: the expected and the chosen base, by slug, and what other thresholds would choose."""

    label: int
    expected: str
    chosen: str
    alternatives: Mapping[str, Alternative]

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Read what `as_json` wrote."""
        others = {slug: Alternative(*values) for slug, values in row["alternatives"].items()}
        return cls(row["label"], row["expected"], row["chosen"], others)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        others = {slug: astuple(other) for slug, other in self.alternatives.items()}
        return {"label": self.label, "expected": self.expected, "chosen": self.chosen, "alternatives": others}

    @property
    def is_right(self) -> bool:
        return self.expected == self.chosen

    def chosen_with(self, base: str, threshold: float) -> str:
        """Return the slug that is chosen if the base has this threshold."""
        alternative = self.alternatives.get(base)
        return alternative.chosen(threshold) if alternative else self.chosen


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts over all outcomes: a false base is one that was chosen wrongly, a miss a base that wasn't chosen."""

    count: int
    right: int
    false: int
    missed: int

    @property
    def accuracy(self) -> float:
        return self.right / self.count if self.count else 0.0


def figures_of(outcomes: Sequence[Outcome]) -> Figures:
    """Count what was right and wrong."""
    wrong = [outcome for outcome in outcomes if not outcome.is_right]
    return Figures(
        count=len(outcomes),
        right=len(outcomes) - len(wrong),
        false=sum(outcome.chosen != NONE for outcome in wrong),
        missed=sum(outcome.expected != NONE for outcome in wrong),
    )


def confusion(outcomes: Sequence[Outcome]) -> tuple[list[str], list[tuple[str, list[int]]]]:
    """Return the slugs of the columns (chosen), and by expected slug the counts; no base comes last."""
    counts = Counter((outcome.expected, outcome.chosen) for outcome in outcomes)
    slugs = sorted({slug for pair in counts for slug in pair}, key=lambda slug: (slug == NONE, slug))
    return slugs, [(expected, [counts[expected, chosen] for chosen in slugs]) for expected in slugs]


@dataclass(frozen=True, slots=True)
class Point:
    """What a threshold of one base gives: precision and recall of that base, accuracy over all labels."""

    threshold: float
    precision: float
    recall: float
    accuracy: float


def sweep(outcomes: Sequence[Outcome], base: str) -> list[Point]:
    """Return a point per threshold of `STEPS`, all other bases as they are."""
    return [_point(outcomes, base, threshold) for threshold in STEPS]


def _point(outcomes: Sequence[Outcome], base: str, threshold: float) -> Point:
    pairs = [(outcome.expected, outcome.chosen_with(base, threshold)) for outcome in outcomes]
    hits = sum(expected == chosen == base for expected, chosen in pairs)
    chosen_count, expected_count = (sum(pair[side] == base for pair in pairs) for side in (1, 0))
    right = sum(expected == chosen for expected, chosen in pairs)
    return Point(
        threshold,
        precision=hits / chosen_count if chosen_count else 1.0,
        recall=hits / expected_count if expected_count else 0.0,
        accuracy=right / len(pairs) if pairs else 0.0,
    )


def is_short(outcomes: Sequence[Outcome], base: str) -> bool:
    """Return whether too few labels expect the base, or too few don't, to suggest a threshold."""
    expecting = sum(outcome.expected == base for outcome in outcomes)
    return min(expecting, len(outcomes) - expecting) < LEAST_LABELS


def suggestion(outcomes: Sequence[Outcome], base: str, now: float) -> float | None:
    """Return the threshold with most right, among equals the nearest to the present one; None where labels are
    short, and where no other is better.
    """
    if is_short(outcomes, base):
        return None
    rank: Callable[[Point], tuple[float, float]] = lambda point: (point.accuracy, -abs(point.threshold - now))  # noqa: E731
    best = max(sweep(outcomes, base), key=rank)
    return best.threshold if best.accuracy > _point(outcomes, base, now).accuracy else None
