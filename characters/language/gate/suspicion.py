"""Score how likely a message tries to make a character say, be or believe something. Pure; no Django.

Two small logistic models weigh cues, shape and letter n-grams; one of them also weighs the vector, and the other is for
messages without one. `tests.quality.fit_gate` fits them: `weights.json` beside this module has the weights of cues and
shape and names the sources, `weights.npz` has those of the vector and the n-grams.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from characters.domain.logistic import Logistic, probability
from characters.language.gate import cues, encodings, shape
from characters.language.gate.cues import Cue

Floats = NDArray[np.float32]

FILE = Path(__file__).with_name("weights.json")
MANY_CUES = 5
"""Number of different cues that counts as 1."""
LEAST_BY_WORDS = 200
"""Fewest characters of a message that is flagged without a vector or cue: a few n-grams say little."""


@dataclass(frozen=True, slots=True)
class Signals:
    """Features of a message: cues and measures of shape by name, and letter n-grams."""

    named: Mapping[str, float]
    ngrams: Floats


@dataclass(frozen=True, slots=True)
class Model:
    """A model whose parts add up to log odds. `direction` weighs the embedding; None if the model doesn't use it."""

    named: Logistic
    ngrams: Floats
    direction: Floats | None
    threshold: float
    """Log odds from which a message is flagged."""

    def log_odds(self, signals: Signals, vector: Floats | None) -> float:
        """Return the log odds that a message is an attempt."""
        meant = 0.0 if self.direction is None or vector is None else float(self.direction @ vector)
        return self.named.log_odds_of(signals.named) + float(self.ngrams @ signals.ngrams) + meant


@dataclass(frozen=True, slots=True)
class Weights:
    """The fitted models. `embedder` is the id of the embedder whose vectors they were fitted on."""

    embedder: str
    by_vector: Model
    by_words: Model

    def model(self, vector: Floats | None) -> Model:
        """Return the model with the vector if there is one of the right length, else the one by words."""
        direction = self.by_vector.direction
        fits = vector is not None and direction is not None and vector.shape == direction.shape
        return self.by_vector if fits else self.by_words


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Judgement of a message; `score` is the probability that it is an attempt.

    `cues` are the cues found, encoded words included; a message can also be flagged without any.
    """

    score: float
    is_flagged: bool
    cues: tuple[Cue, ...]


def suspicion(text: str, vector: Floats | None = None) -> Suspicion:
    """Judge a single message. `vector` is its embedding, by the embedder that `shipped` names."""
    visible = cues.find(text)
    decoded = tuple(
        Cue("encoding", f"Has words in another form ({hidden.form})", hidden.text[: cues.LONGEST])
        for hidden in encodings.find(text)
    )
    model = shipped().model(vector)
    odds = model.log_odds(signals(text, visible), vector)
    is_enough = vector is not None or bool(visible) or len(text) >= LEAST_BY_WORDS
    is_flagged = (odds >= model.threshold and is_enough) or bool(decoded)
    return Suspicion(float(probability(odds)), is_flagged, visible + decoded)


def signals(text: str, visible: tuple[Cue, ...]) -> Signals:
    """Return the features of a message with these cues."""
    there = {cue.name for cue in visible}
    named = {name: float(name in there) for name in cues.names()} | {"cues": len(there) / MANY_CUES}
    return Signals(named | dict(shape.figures(text)), shape.ngrams(text))


def names() -> tuple[str, ...]:
    """Return the names of the features of `signals`, in order."""
    return (*cues.names(), "cues", *shape.figures(""))


@cache
def shipped() -> Weights:
    """Return the models that come with the program."""
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    with np.load(FILE.with_suffix(".npz"), allow_pickle=False) as arrays:
        blocks = {name: arrays[name].astype(np.float32) for name in arrays.files}
    return Weights(stored["embedder"], *(_model(stored[name], blocks, name) for name in ("by vector", "by words")))


def _model(stored: Mapping[str, Any], blocks: Mapping[str, Floats], name: str) -> Model:
    key = name.replace(" ", "_")
    ngrams = blocks[f"{key}_pieces"] / blocks[f"{key}_scale"]
    return Model(Logistic.from_json(stored["weights"]), ngrams, blocks.get(f"{key}_direction"), stored["threshold"])
