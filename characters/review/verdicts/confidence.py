"""Confidence that a statement is meant for good: from parts that can be counted, not from a model's own estimate.

The parts are weighed by a logistic regression (`tests.quality.fit_confidence` writes `confidence.json` from labelled
claims), so that about eight in ten claims with .8 are meant for good (measured in docs/quality.md). Repeats to other
people or in other conversations count; repeats in one conversation don't.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from characters.domain.logistic import Logistic, probability
from characters.review.verdicts.comparison import Finding

VERSION = "2"
FILE = Path(__file__).with_suffix(".json")
NEEDED = 0.9
MOST = 0.99
PARTS = ("certainty", "plain", "asked", "people", "conversations", "free")
"""Parts that are weighed; more of each raises the confidence."""


@dataclass(frozen=True, slots=True)
class Time:
    """One time that the statement was made. `was_asked`: the message before asked a question."""

    certainty: float
    hedged: bool
    person: int
    conversation: int
    is_tainted: bool
    was_asked: bool = True


@dataclass(frozen=True, slots=True)
class Support:
    """All times that the statement was made; elicited ones count only if all are."""

    times: Sequence[Time]

    @property
    def clean(self) -> list[Time]:
        return [time for time in self.times if not time.is_tainted]

    @property
    def evidence(self) -> dict[str, float | bool]:
        """Return the figures that an operator reads."""
        counted = self.clean or self.times
        return {
            "certainty": round(max((time.certainty for time in counted), default=0.0), 3),
            "hedged": all(time.hedged for time in counted),
            "asked": any(time.was_asked for time in counted),
            "people": len({time.person for time in counted}),
            "conversations": len({time.conversation for time in counted}),
            "elicited": len(self.times) - len(self.clean),
        }

    @property
    def parts(self) -> dict[str, float]:
        """Return the values to weigh by part, each at least 0."""
        values = self.evidence
        return {
            "certainty": values["certainty"],
            "plain": float(not values["hedged"]),
            "asked": float(values["asked"]),
            "people": math.log2(max(1, values["people"])),
            "conversations": math.log2(max(1, values["conversations"])),
            "free": float(bool(self.clean)),
        }


def judge(times: Sequence[Time]) -> tuple[float, Finding]:
    """Return the confidence, 0 to 1, and its verdict: good from `NEEDED` on."""
    support = Support(times)
    value, people = weigh(support.parts), support.evidence["people"]
    summary = f"{value:.2f}; {NEEDED:.2f} is needed. Said to {people} {'person' if people == 1 else 'people'}."
    evidence = {"value": value, "parts": support.evidence | {"needed": NEEDED}}
    return value, Finding("good" if value >= NEEDED else "warn", summary, VERSION, evidence)


def weigh(parts: Mapping[str, float]) -> float:
    """Return the probability that the statement is meant for good, at most `MOST`."""
    return min(MOST, float(probability(shipped().log_odds_of(parts))))


@cache
def shipped() -> Logistic:
    """Return the weights that come with the program, by part."""
    return Logistic.from_json(json.loads(FILE.read_text(encoding="utf-8"))["weights"])
