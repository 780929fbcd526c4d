"""Weights of the background's signals: small logistic models, fitted by `tests.quality.fit_background`.

`weights.json` holds them and names their sources, `weights.npz` the vectors of the examples in `asking.txt`. Where no
vectors can be compared, the models of `by words` decide.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from characters.domain.logistic import Logistic
from characters.turn.fact_index import Floats

FILE = Path(__file__).with_name("weights.json")
NEAREST = 3
"""Most similar examples of each kind that a message is compared with."""


@dataclass(frozen=True, slots=True)
class About:
    """Whether a message sounds like a question about somebody, by its embedding alone.
    `direction` is one in the embedder's space; row i of `about_character` and of `others` is example i of each kind.
    """

    direction: Logistic
    about_character: Floats
    others: Floats

    def score(self, vector: Floats) -> tuple[float, float]:
        """Return the log odds by the direction, and how much nearer the examples about somebody are than the others."""
        near = _nearest(self.about_character, vector) - _nearest(self.others, vector)
        return float(self.direction.log_odds(vector)), near


def _nearest(examples: Floats, vector: Floats) -> float:
    similar = examples @ vector
    return float(np.partition(similar, -NEAREST)[-NEAREST:].mean()) if len(similar) > NEAREST else 0.0


@dataclass(frozen=True, slots=True)
class Deciding:
    """The models that order the facts, decide whether to use any, and estimate how likely each is right."""

    rank: Logistic
    asked: Logistic
    right: Logistic
    threshold: float
    """Threshold for the probability of `asked`."""
    typical: Floats
    """Usual values of the signals of `asked`; a value that differs is a reason."""


@dataclass(frozen=True, slots=True)
class Weights:
    """All fitted models. `embedder` made the vectors that they were fitted on."""

    embedder: str
    about: About
    by_vectors: Deciding
    by_words: Deciding


def _deciding(stored: Mapping[str, Any]) -> Deciding:
    typical = np.array(list(stored["typical"].values()), dtype=np.float32)
    models = {name: Logistic.from_json(stored[name]) for name in ("rank", "asked", "right")}
    return Deciding(**models, threshold=stored["threshold"], typical=typical)


@cache
def shipped() -> Weights:
    """Return the models that come with the program."""
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    direction = Logistic((), np.array(stored["about"]["weights"], dtype=np.float32), stored["about"]["intercept"])
    with np.load(FILE.with_suffix(".npz"), allow_pickle=False) as vectors:
        scale = np.float32(vectors["scale"])
        about = About(direction, vectors["about_character"] / scale, vectors["others"] / scale)
    return Weights(stored["embedder"], about, _deciding(stored["by vectors"]), _deciding(stored["by words"]))
