"""How likely one message tries to make a character say, be or believe something. Pure; no Django.

Two small logistic models weigh its cues, its shape, its runs of letters and its vector; where there is no vector, the
one of `by words` decides. `tests.quality.fit_gate` fits them: `weights.json` beside this module has the weights of cues
and shape and names the sources, `weights.npz` those of the vector and of the runs of letters.
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
"""So many different cues count as 1."""
LEAST_BY_WORDS = 200
"""Characters from which a message can be flagged without a vector and without a cue: few runs of letters say little."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What a model sees of a message: by name the cues and the figures of its shape, and its runs of letters."""

    named: Mapping[str, float]
    ngrams: Floats


@dataclass(frozen=True, slots=True)
class Model:
    """Log odds are a sum. `direction` is one in the embedder's space, None where the model does without."""

    named: Logistic
    ngrams: Floats
    direction: Floats | None
    threshold: float
    """Log odds from which a message is flagged."""

    def log_odds(self, signals: Signals, vector: Floats | None) -> float:
        """That a message is an attempt."""
        meant = 0.0 if self.direction is None or vector is None else float(self.direction @ vector)
        return self.named.log_odds_of(signals.named) + float(self.ngrams @ signals.ngrams) + meant


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything that was fitted. `embedder` made the vectors that it was fitted on."""

    embedder: str
    by_vector: Model
    by_words: Model

    def model(self, vector: Floats | None) -> Model:
        """The one for what is known: a vector of another length can't be compared."""
        direction = self.by_vector.direction
        fits = vector is not None and direction is not None and vector.shape == direction.shape
        return self.by_vector if fits else self.by_words


@dataclass(frozen=True, slots=True)
class Suspicion:
    """`score` is the probability that a message is an attempt.

    `cues` say why it is flagged, those of words in another form included; it can be flagged without one, by its words.
    """

    score: float
    is_flagged: bool
    cues: tuple[Cue, ...]


def suspicion(text: str, vector: Floats | None = None) -> Suspicion:
    """Judge a message by itself. `vector` is its own, by the embedder that `shipped` names."""
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
    """What the models see of a message with these cues."""
    there = {cue.name for cue in visible}
    named = {name: float(name in there) for name in cues.names()} | {"cues": len(there) / MANY_CUES}
    return Signals(named | dict(shape.figures(text)), shape.ngrams(text))


def names() -> tuple[str, ...]:
    """The names that `signals` gives, in order."""
    return (*cues.names(), "cues", *shape.figures(""))


@cache
def shipped() -> Weights:
    """The models that come with the program."""
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    with np.load(FILE.with_suffix(".npz"), allow_pickle=False) as arrays:
        blocks = {name: arrays[name].astype(np.float32) for name in arrays.files}
    return Weights(stored["embedder"], *(_model(stored[name], blocks, name) for name in ("by vector", "by words")))


def _model(stored: Mapping[str, Any], blocks: Mapping[str, Floats], name: str) -> Model:
    key = name.replace(" ", "_")
    ngrams = blocks[f"{key}_pieces"] / blocks[f"{key}_scale"]
    return Model(Logistic.from_json(stored["weights"]), ngrams, blocks.get(f"{key}_direction"), stored["threshold"])
