"""What is learned of relations from labelled pairs: two small logistic models over `signals`. Numpy only, no Django.

`learned.json` beside this module holds the weights and names their sources; `tests.quality.fit_relations` writes it. On
messages to a character (tests/data) they are right far less often than on those of a help channel, which they were
fitted on (docs/quality.md). So a guess is shown and not drawn: `MOST` keeps it below the usual threshold of .60.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from characters.domain.relations import Relation
from characters.memory.enrichment import signals
from characters.memory.enrichment.signals import Signals
from characters.memory.enrichment.traits import Both

Floats = NDArray[np.float64]

FILE = Path(__file__).with_name("learned.json")
MOST = 0.55
"""Confidence that a guess never exceeds."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """A multinomial logistic regression.

    `weights` has a row per signal, the last one for the intercept, and a column per class.
    """

    classes: tuple[str, ...]
    names: tuple[str, ...]
    weights: Floats

    def chances(self, found: Signals) -> Mapping[str, float]:
        """By class its probability."""
        logits = np.array([*(found[name] for name in self.names), 1.0]) @ self.weights
        odds = np.exp(logits - logits.max())
        return dict(zip(self.classes, (odds / odds.sum()).tolist(), strict=True))

    def as_json(self) -> dict[str, Any]:
        """By signal its weights in the order of the classes."""
        rows = zip((*self.names, "intercept"), self.weights.tolist(), strict=True)
        return {"classes": self.classes, "weights": dict(rows)}


@dataclass(frozen=True, slots=True)
class Learned:
    """Both models. `shift_from` is the probability from which a message counts as a turn to another subject."""

    relations: Logistic
    shifts: Logistic
    shift_from: float

    def relation(self, both: Both, votes: Mapping[Relation, float]) -> tuple[Relation, float]:
        """The likeliest class and its probability; a vote multiplies the odds of a class."""
        chances = self.relations.chances(signals.of_relation(both))
        odds = {name: chances[name] * votes.get(name, 1.0) for name in get_args(Relation) if name in chances}
        best: Relation = max(odds, key=lambda name: odds[name])
        return best, odds[best] / sum(odds.values())

    def is_shift(self, both: Both) -> bool:
        """Whether the later message turns to another subject."""
        return self.shifts.chances(signals.of_shift(both))["shift"] >= self.shift_from


def logistic(kept: Mapping[str, Any]) -> Logistic:
    """The model that `as_json` wrote."""
    weights: Mapping[str, Sequence[float]] = kept["weights"]
    return Logistic(tuple(kept["classes"]), tuple(weights)[:-1], np.array(list(weights.values())))


@cache
def shipped() -> Learned:
    """The models that come with the program."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    return Learned(logistic(kept["relations"]), logistic(kept["shifts"]), kept["shifts"]["from"])
