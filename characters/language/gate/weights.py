"""What the signs of a suspicious message count: two small logistic models, fitted by `tests.quality.fit_gate`.

`weights.json` beside this module has the weights of cues and of shape, and names the sources; `weights.npz` has those
of the message's vector and of its pieces of words. Where no vector is known, the model of `by words` decides.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from characters.language.gate import cues, ngrams, shape

Floats = NDArray[np.float32]

FILE = Path(__file__).with_name("weights.json")
MANY_CUES = 5
"""So many different cues count as 1."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What a model sees of a message: by name the cues and the figures of its shape, and its pieces of words."""

    named: Mapping[str, float]
    pieces: Floats


@dataclass(frozen=True, slots=True)
class Model:
    """Log odds are a sum. `direction` is one in the embedder's space, None where the model does without."""

    names: tuple[str, ...]
    weights: Floats
    pieces: Floats
    direction: Floats | None
    intercept: float
    threshold: float
    """Log odds from which a message is flagged."""

    def score(self, signs: Signs, vector: Floats | None) -> float:
        """Log odds that it is an attempt."""
        named = np.array([signs.named[name] for name in self.names], dtype=np.float32)
        meant = 0.0 if self.direction is None or vector is None else float(self.direction @ vector)
        return float(named @ self.weights) + float(self.pieces @ signs.pieces) + meant + self.intercept


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


def signs(text: str, found: tuple[cues.Cue, ...]) -> Signs:
    """What the models see of a message with these cues."""
    there = {cue.name for cue in found}
    named = {name: float(name in there) for name in cues.names()} | {"cues": len(there) / MANY_CUES}
    return Signs(named | dict(shape.figures(text)), ngrams.counted(text))


def names() -> tuple[str, ...]:
    """The names that `signs` gives, in order."""
    return (*cues.names(), "cues", *shape.figures(""))


@cache
def shipped() -> Weights:
    """The models that come with the program."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    with np.load(FILE.with_suffix(".npz"), allow_pickle=False) as arrays:
        blocks = {name: arrays[name].astype(np.float32) for name in arrays.files}
    return Weights(kept["embedder"], *(_model(kept[name], blocks, name) for name in ("by vector", "by words")))


def _model(kept: Mapping[str, Any], blocks: Mapping[str, Floats], name: str) -> Model:
    key = name.replace(" ", "_")
    weights = np.array(list(kept["weights"].values()), dtype=np.float32)
    pieces = blocks[f"{key}_pieces"] / blocks[f"{key}_scale"]
    direction = blocks.get(f"{key}_direction")
    return Model(tuple(kept["weights"]), weights, pieces, direction, kept["intercept"], kept["threshold"])


def write(model: Weights, sources: str, file: Path) -> None:
    """Write what `shipped` reads; pieces with a byte a number."""
    both = {"by vector": model.by_vector, "by words": model.by_words}
    kept = {"sources": sources, "embedder": model.embedder} | {name: _as_json(each) for name, each in both.items()}
    arrays: dict[str, NDArray[Any]] = {}
    for name, each in both.items():
        key, scale = name.replace(" ", "_"), np.float32(127 / max(1e-9, float(np.abs(each.pieces).max())))
        arrays |= {f"{key}_pieces": np.round(each.pieces * scale).astype(np.int8), f"{key}_scale": np.array(scale)}
        if each.direction is not None:
            arrays[f"{key}_direction"] = each.direction.astype(np.float16)
    file.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    np.savez(file.with_suffix(".npz"), allow_pickle=False, **arrays)


def _as_json(model: Model) -> dict[str, Any]:
    weights = dict(zip(model.names, (round(float(weight), 4) for weight in model.weights), strict=True))
    return {"threshold": round(model.threshold, 4), "intercept": round(model.intercept, 4), "weights": weights}


def chance(log_odds: float) -> float:
    """The probability of log odds."""
    return float(1 / (1 + np.exp(-np.clip(log_odds, -30, 30))))
