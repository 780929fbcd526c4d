"""How sure it is that she means it for good: from parts that can be told, never from what a model thinks of its answer.

The parts are weighed by a logistic regression (`tests.quality.fit_confidence` writes `confidence.json` from labelled
claims), so that of the claims with .8 about eight in ten are meant for good: docs/quality.md has how near that comes.
Saying it to somebody else, or in another conversation, counts; saying it again and again in one doesn't.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from characters.review.verdicts.found import Found

VERSION = "2"
FILE = Path(__file__).with_suffix(".json")
NEEDED = 0.9
MOST = 0.99
PARTS = ("certainty", "plain", "asked", "people", "conversations", "free")
"""What is weighed; more of each makes it surer."""


@dataclass(frozen=True, slots=True)
class Time:
    """One time that it was said. `was_asked`: the message before asked a question."""

    certainty: float
    hedged: bool
    person: int
    conversation: int
    is_tainted: bool
    was_asked: bool = True


def judge(times: Sequence[Time], needed: float = NEEDED) -> tuple[float, Found]:
    """The confidence and its verdict: good from `needed` on. Times that were tainted count as no support."""
    clean = [time for time in times if not time.is_tainted]
    counted = clean or list(times)
    people = len({time.person for time in counted})
    conversations = len({time.conversation for time in counted})
    value = weigh(parts(times))
    told = {
        "certainty": round(max((time.certainty for time in counted), default=0.0), 3),
        "hedged": all(time.hedged for time in counted),
        "asked": any(time.was_asked for time in counted),
        "people": people,
        "conversations": conversations,
        "tainted": len(times) - len(clean),
        "needed": needed,
    }
    summary = f"{value:.2f}; {needed:.2f} is needed. Said to {_count(people, 'person', 'people')}."
    return value, Found("good" if value >= needed else "warn", summary, VERSION, {"value": value, "parts": told})


def parts(times: Sequence[Time]) -> Mapping[str, float]:
    """By name what is weighed, each from 0 on."""
    clean = [time for time in times if not time.is_tainted]
    counted = clean or list(times)
    return {
        "certainty": max((time.certainty for time in counted), default=0.0),
        "plain": float(any(not time.hedged for time in counted)),
        "asked": float(any(time.was_asked for time in counted)),
        "people": math.log2(max(1, len({time.person for time in counted}))),
        "conversations": math.log2(max(1, len({time.conversation for time in counted}))),
        "free": float(bool(clean)),
    }


def weigh(found: Mapping[str, float]) -> float:
    """The probability that she means it for good."""
    weights = shipped()
    odds = weights["intercept"] + sum(weights[name] * found[name] for name in PARTS)
    return min(MOST, 1 / (1 + math.exp(-odds)))


@cache
def shipped() -> Mapping[str, float]:
    """The weights that come with the program, by part."""
    kept: dict[str, float] = json.loads(FILE.read_text(encoding="utf-8"))["weights"]
    return kept


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
