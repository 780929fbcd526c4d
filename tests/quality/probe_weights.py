"""Fits the weights of `characters.turn.calibration` anew, for `tests.quality.fit_probe`.

    tests.quality.fit_probe EVALS

Sources: the development rows of XQuAD, and of a mix of FiQA, CLAPNQ, Govt, IBM Cloud, D&D rules, CRD3 and game lore,
with Persona-Chat's and CLINC's rows as negatives (`b_xquad`, `b_mixed`), and this program's own idle messages. What was
said before is no signal, and what people say of their lives (`b_everyday`) isn't fitted on. Both classes weigh the same
in each set.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from characters.domain.topics import GENERAL, SMALL_TALK
from tests.quality import files
from tests.quality.probe import Shelf
from tests.quality.signals import Signals
from tests.quality.vectors import StoredVectors

Floats = NDArray[np.float64]
NAMES = ("BEST", "ABOVE_IDLE", "EVIDENCE", "SUBJECT", "INTERCEPT")
RIDGE = 0.3
Sample = tuple[list[float], bool, float]
"""Signals, whether it is about a base, weight."""


def samples_of(folder: Path, vectors: StoredVectors) -> Iterator[Sample]:
    """The signals of every row of a set, and of the idle messages among its bases."""
    data = files.locate(folder, None)
    rows = [json.loads(line) for path in data.gold for line in files.lines(path) if line]
    signals = Signals(Shelf(files.passages(data), vectors), vectors)
    samples = [(signals.of(row["q"]), row["kind"] in {"single", "follow-up", "two-kb"}) for row in rows]
    samples += [(signals.of(text), False) for text in (*SMALL_TALK, *GENERAL)]
    positive = sum(is_about for _, is_about in samples)
    for values, is_about in samples:
        yield values, is_about, len(samples) / 2 / ((positive or 1) if is_about else len(samples) - positive)


def fit(samples: Sequence[Sample], rounds: int = 30) -> Floats:
    """Logistic regression by Newton's method, with a small ridge on all but the intercept."""
    x = np.array([[*signals, 1.0] for signals, _, _ in samples])
    y = np.array([is_about for _, is_about, _ in samples], dtype=float)
    weight = np.array([weight for *_, weight in samples])
    ridge = np.diag([*[RIDGE] * (x.shape[1] - 1), 0.0])
    beta = np.zeros(x.shape[1])
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-x @ beta))
        slope = x.T @ (weight * (y - p)) - ridge @ beta
        beta = beta + np.linalg.solve((x * (weight * p * (1 - p))[:, None]).T @ x + ridge, slope)
    return beta
