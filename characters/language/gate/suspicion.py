"""How likely one message tries to make a character say, be or believe something. Pure; no Django."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from characters.language.gate import cues, hidden, weights
from characters.language.gate.cues import Cue

LEAST_BY_WORDS = 200
"""Characters from which a message can be flagged without a vector and without a cue: the pieces of a few words say
little."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """`score` and `threshold` are probabilities; a message from the threshold on is flagged.

    `cues` say why, those of words in another form included; a message can be flagged without one, by its words alone.
    """

    score: float
    threshold: float
    is_flagged: bool
    cues: tuple[Cue, ...]


def suspicion(text: str, vector: NDArray[np.float32] | None = None) -> Suspicion:
    """Judge a message by itself. `vector` is its own, by the embedder that `weights.shipped` names."""
    found = cues.find(text)
    inside = tuple(_as_cue(each) for each in hidden.find(text))
    model = weights.shipped().model(vector)
    odds = model.score(weights.signs(text, found), vector)
    is_enough = vector is not None or bool(found) or len(text) >= LEAST_BY_WORDS
    is_flagged = (odds >= model.threshold and is_enough) or bool(inside)
    return Suspicion(weights.chance(odds), weights.chance(model.threshold), is_flagged, found + inside)


def _as_cue(found: hidden.Hidden) -> Cue:
    return Cue("encoding", f"Has words in another form ({found.form})", found.text[: cues.LONGEST])
