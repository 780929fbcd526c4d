"""Fits the weights of `characters.review.verdicts.confidence` anew, for `tests.quality.fit_confidence`.

    tests.quality.fit_confidence tests/data/claims_confidence.jsonl

A row is a reply with the message before it, to whom and in which conversations it was said, whether it was elicited,
and whether a reader who wants nothing says that it is meant for good. How near the probabilities come is measured on
the half that the weights haven't seen; what is shipped is fitted on both.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from characters.domain.logistic import Logistic, probability
from characters.language.claims import patterns
from characters.review.verdicts.confidence import PARTS, Support, Time
from tests.quality.files import EvaluationError, lines
from tests.quality.world import registry

RIDGE, STEP, ROUNDS = 0.1, 0.02, 20_000
BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.01)


class Row(BaseModel):
    """A labelled claim. `times` are (person, conversation, whether it was elicited)."""

    asked: str
    reply: str
    times: list[tuple[int, int, bool]]
    lasting: bool
    split: Literal["dev", "held"]


@dataclass(frozen=True, slots=True)
class Sample:
    """The parts of a claim, and what its reader says."""

    parts: Mapping[str, float]
    is_lasting: bool
    is_held: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """Claims of about the same confidence: what it is on average, and the share that is meant for good."""

    count: int
    confidence: float
    share: float


def samples(file: Path) -> list[Sample]:
    """Of every row whose reply is read as a statement. Raises `EvaluationError`."""
    try:
        rows = [Row.model_validate_json(line) for line in lines(file) if line]
    except (OSError, ValidationError) as error:
        raise EvaluationError(f"The labelled claims in {file} can't be read: {error}") from error
    return list(_samples(rows))


def _samples(rows: Sequence[Row]) -> Iterator[Sample]:
    for row in rows:
        for claim in patterns.extract(row.reply, registry(), "Elena Rodriguez", row.asked)[:1]:
            times = [
                Time(claim.certainty, claim.hedged, person, conversation, elicited, "?" in row.asked)
                for person, conversation, elicited in row.times
            ]
            yield Sample(Support(times).parts, row.lasting, row.split == "held")


def fit(samples: Sequence[Sample]) -> dict[str, float]:
    """Logistic regression with a small ridge, no weight below 0: more of a part never makes it less sure."""
    x = np.array([[*(each.parts[name] for name in PARTS), 1.0] for each in samples])
    y = np.array([each.is_lasting for each in samples], dtype=float)
    ridge = np.array([*[RIDGE] * len(PARTS), 0.0])
    beta = np.zeros(x.shape[1])
    for _ in range(ROUNDS):
        beta = beta + STEP * (x.T @ (y - 1 / (1 + np.exp(-x @ beta))) - ridge * beta) / 2
        beta[:-1] = np.maximum(beta[:-1], 0)
    return dict(zip([*PARTS, "intercept"], (round(float(weight), 3) for weight in beta), strict=True))


def confidences(weights: Mapping[str, float], samples: Sequence[Sample]) -> NDArray[np.float64]:
    """The confidence of each sample."""
    model = Logistic.from_json(weights)
    return np.array([probability(model.log_odds_of(sample.parts)) for sample in samples])


def bins(values: NDArray[np.float64], samples: Sequence[Sample]) -> list[Bin]:
    """What was said and what is so, by how sure it was."""
    lasting = np.array([each.is_lasting for each in samples], dtype=float)
    inside = [(values >= low) & (values < high) for low, high in pairwise(BINS)]
    return [
        Bin(int(rows.sum()), float(values[rows].mean()), float(lasting[rows].mean())) for rows in inside if rows.any()
    ]


def expected_error(table: Sequence[Bin]) -> float:
    """How far confidence and share are apart, on average over claims (expected calibration error)."""
    return sum(each.count * abs(each.confidence - each.share) for each in table) / sum(each.count for each in table)
