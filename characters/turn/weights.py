"""What the signals of the background count: small logistic models, fitted by `tests.quality.fit_background`.

`weights.json` beside this module holds them and names their sources. `rank` orders the facts, `asked` decides whether
the character is asked about herself, `right` says how likely a chosen fact is the one that was asked for, and `about`
compares a message with examples of both: `weights.npz` has the vectors of those in `asking.txt`. Where no vectors can
be compared, the models of `by words` decide.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from characters.turn.fact_index import Floats

FILE = Path(__file__).with_name("weights.json")
NEAREST = 3
"""So many of the examples of each kind are compared with a message."""


@dataclass(frozen=True, slots=True)
class Linear:
    """Weights of a sum: the score is `values @ weights + intercept`."""

    names: tuple[str, ...]
    weights: Floats
    intercept: float = 0.0

    def score(self, values: NDArray[np.floating[Any]]) -> Any:
        """Per row of `values`."""
        return values @ self.weights + self.intercept

    def as_json(self) -> dict[str, float]:
        """By signal its weight."""
        rows = zip(self.names, self.weights.tolist(), strict=True)
        return {name: round(weight, 4) for name, weight in rows} | {"intercept": round(self.intercept, 4)}


@dataclass(frozen=True, slots=True)
class About:
    """Whether a message sounds like a question about somebody, by its meaning alone.

    `direction` is one in the embedder's space; row i of `about_her` and of `others` is example i of each kind.
    """

    direction: Linear
    about_her: Floats
    others: Floats

    def score(self, vector: Floats) -> tuple[float, float]:
        """Log odds by the direction, and how much nearer the examples about her are than the others."""
        near = _nearest(self.about_her, vector) - _nearest(self.others, vector)
        return float(self.direction.score(vector)), near


def _nearest(examples: Floats, vector: Floats) -> float:
    similar = examples @ vector
    return float(np.partition(similar, -NEAREST)[-NEAREST:].mean()) if len(similar) > NEAREST else 0.0


@dataclass(frozen=True, slots=True)
class Deciding:
    """The models that order the facts, decide whether to use any, and say how likely each is right.

    `threshold` is a probability of `asked`.
    """

    rank: Linear
    asked: Linear
    right: Linear
    threshold: float
    typical: Floats
    """What the signals of `asked` mostly are: what differs from it is a reason."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything that was fitted. `embedder` made the vectors that it was fitted on."""

    embedder: str
    about: About
    by_vectors: Deciding
    by_words: Deciding

    def deciding(self, *, by_vectors: bool) -> Deciding:
        """The models for what can be compared."""
        return self.by_vectors if by_vectors else self.by_words


def linear(kept: Mapping[str, float]) -> Linear:
    """The model that `as_json` wrote."""
    names = tuple(name for name in kept if name != "intercept")
    return Linear(names, np.array([kept[name] for name in names], dtype=np.float32), kept["intercept"])


def deciding(kept: Mapping[str, Any]) -> Deciding:
    """The models as `weights.json` has them."""
    typical = np.array(list(kept["typical"].values()), dtype=np.float32)
    models = {name: linear(kept[name]) for name in ("rank", "asked", "right")}
    return Deciding(**models, threshold=kept["threshold"], typical=typical)


@cache
def shipped() -> Weights:
    """The models that come with the program."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    direction = Linear((), np.array(kept["about"]["weights"], dtype=np.float32), kept["about"]["intercept"])
    return Weights(
        kept["embedder"],
        About(direction, *_read_examples(FILE.with_suffix(".npz"))),
        deciding(kept["by vectors"]),
        deciding(kept["by words"]),
    )


def _read_examples(file: Path) -> tuple[Floats, Floats]:
    with np.load(file, allow_pickle=False) as kept:
        about_her, others = (kept[name] / np.float32(kept["scale"]) for name in ("about_her", "others"))
    return about_her, others


def write(model: Weights, sources: str, file: Path) -> None:
    """Write what `shipped` reads."""
    file.write_text(json.dumps(as_json(model, sources), indent=1) + "\n", encoding="utf-8")
    scale, (about_her, others) = in_bytes(model.about.about_her, model.about.others)
    np.savez(file.with_suffix(".npz"), scale=scale, about_her=about_her, others=others)


def in_bytes(*examples: Floats) -> tuple[np.float32, list[NDArray[np.int8]]]:
    """Vectors with a byte a number, and how many of its steps are 1."""
    scale = np.float32(127 / max(float(np.abs(each).max()) for each in examples))
    return scale, [np.round(each * scale).astype(np.int8) for each in examples]


def chance(log_odds: Any) -> Any:
    """The probability of log odds."""
    return 1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))


def as_json(model: Weights, sources: str) -> dict[str, Any]:
    """The models, but for the examples."""
    direction = model.about.direction
    about = {"intercept": round(direction.intercept, 4), "weights": direction.weights.round(4).tolist()}
    return {
        "sources": sources,
        "embedder": model.embedder,
        "by vectors": _deciding_as_json(model.by_vectors),
        "by words": _deciding_as_json(model.by_words),
        "about": about,
    }


def _deciding_as_json(model: Deciding) -> dict[str, Any]:
    models = {"rank": model.rank, "asked": model.asked, "right": model.right}
    typical = dict(zip(model.asked.names, model.typical.round(4).tolist(), strict=True))
    return {name: each.as_json() for name, each in models.items()} | {"threshold": model.threshold, "typical": typical}
