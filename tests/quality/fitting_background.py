"""Fits the weights of `characters.turn.weights` anew, for `tests.quality.fit_background`.

    tests.quality.fit_background EVALS

Sources: the development rows of ROSIE's properties, of CLINC's questions about the assistant, and of LoCoMo's
questions, which ask a character for her facts, with the rows of each that don't (`a_rosie`, `a_clinc_we`, `a_locomo`);
and this program's own `characters/turn/asking.txt`. Each set counts the same, and in each set questions about the
character as much as the rest.
"""

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from characters.domain.logistic import Logistic, probability
from characters.turn import cues, signals
from characters.turn.background import OF_CHOSEN, of_chosen
from characters.turn.fact_index import FactIndex
from characters.turn.request import Vectors
from characters.turn.signals import Signals
from characters.turn.weights import About, Deciding, Weights

Floats = NDArray[np.float64]

RIDGE_ABOUT, RIDGE_RANK, RIDGE_ASKED, RIDGE_RIGHT = 1.0, 0.01, 3.0, 1.0
PER_SET = 600.0
"""What the rows of a set weigh together."""
ROUNDS = 25
BEST = 3
"""A question is answered where a right fact is among so many."""
MOST_FALSE, MOST_FALSE_ATTRIBUTION = 0.022, 0.23
"""Of the rows that don't ask for a fact so many may pass; apart, those that fit somebody else's facts."""
FALSE_ATTRIBUTION = "false-attribution"


@dataclass(frozen=True, slots=True)
class Sample:
    """A message to a character. `right` tells which of her facts answer it: none for one that doesn't ask."""

    group: str
    kind: str
    message: str
    name: str
    index: FactIndex
    with_vectors: Signals
    blind: Signals
    """The same without vectors."""
    vector: NDArray[np.float32]
    right: NDArray[np.bool_]

    @property
    def half(self) -> int:
        """0 or 1, by the text."""
        return zlib.crc32(self.message.lower().encode()) % 2

    @property
    def asks(self) -> bool:
        return self.kind == "self"

    def is_idle(self, *, apart: bool) -> bool:
        """Whether it asks for no fact; `apart`: because the facts are somebody else's."""
        return not self.asks and (self.kind == FALSE_ATTRIBUTION) == apart


def fit(samples: Sequence[Sample], about_character: Vectors, others: Vectors, embedder: str) -> Weights:
    """All models; `about_character` and `others` are vectors of the hand-written examples."""
    about = fit_about(about_character, others)
    by_vectors = fit_deciding(samples, lambda sample: sample.with_vectors, about)
    by_words = fit_deciding(samples, lambda sample: sample.blind, about)
    return Weights(embedder, about, by_vectors, by_words)


def fit_about(about_character: Vectors, others: Vectors) -> About:
    """The direction of questions about a character, and the examples that it is made of, as they will be kept."""
    scale, scaled = in_bytes(about_character, others)
    about_character, others = (each.astype(np.float32) / scale for each in scaled)
    rows = np.vstack([about_character, others]).astype(float)
    beta = logistic(rows, np.arange(len(rows)) < len(about_character), np.ones(len(rows)), RIDGE_ABOUT)
    return About(Logistic((), beta[:-1].astype(np.float32), float(beta[-1])), about_character, others)


def fit_deciding(samples: Sequence[Sample], of: Callable[[Sample], Signals], about: About) -> Deciding:
    """Order and silence, from the signals that `of` names."""
    rank = fit_rank(samples, of)
    values = np.array([cues_of(sample, of(sample), rank, about) for sample in samples])
    asks = np.array([sample.asks for sample in samples])
    middle, spread = values.mean(0), values.std(0) + 1e-6
    beta = logistic((values - middle) / spread, asks, evened(samples), RIDGE_ASKED)
    slopes = np.where(values.std(0) > 0, beta[:-1] / spread, 0.0)
    model = Logistic(tuple(cues.CUES), slopes.astype(np.float32), float(beta[-1] - middle @ slopes))
    model, needed = one_threshold(samples, values, model)
    odds = model.log_odds(values)
    right = fit_right(samples, of, rank, odds, needed)
    return Deciding(rank, model, right, needed, middle.astype(np.float32))


def fit_rank(samples: Sequence[Sample], of: Callable[[Sample], Signals]) -> Logistic:
    """Softmax over a character's facts: the weights under which right facts come first."""
    asking = [sample for sample in samples if sample.right.any()]
    share = {group: 1 / sum(each.group == group for each in asking) for group in {each.group for each in asking}}
    beta = np.zeros(len(signals.NAMES))
    for _ in range(ROUNDS):
        slope, bend = -RIDGE_RANK * beta, np.eye(len(beta)) * RIDGE_RANK
        for sample in asking:
            rows = of(sample).of_facts.astype(float)
            odds = np.exp(rows @ beta - (rows @ beta).max())
            odds /= odds.sum()
            right = odds * sample.right / (odds @ sample.right)
            middle = rows.T @ odds
            slope += share[sample.group] * (rows.T @ (right - odds))
            bend += share[sample.group] * ((rows * odds[:, None]).T @ rows - np.outer(middle, middle))
        beta += 0.7 * np.linalg.solve(bend, slope)
    return Logistic(signals.NAMES, beta.astype(np.float32))


def fit_right(
    samples: Sequence[Sample], of: Callable[[Sample], Signals], rank: Logistic, odds: Floats, needed: float
) -> Logistic:
    """How likely a chosen fact is right, from what the stage knows of it."""
    rows, labels, weight = [], [], []
    for sample, share, sample_odds in zip(samples, evened(samples), odds, strict=True):
        if probability(sample_odds) < needed:
            continue
        ranks = rank.log_odds(of(sample).of_facts)
        for fact in np.argsort(-ranks, kind="stable")[:BEST]:
            rows.append(of_chosen(of(sample), ranks, int(fact), float(sample_odds)))
            labels.append(sample.right[fact])
            weight.append(share)
    beta = logistic(np.array(rows), np.array(labels), np.array(weight), RIDGE_RIGHT)
    return Logistic(OF_CHOSEN, beta[:-1].astype(np.float32), float(beta[-1]))


def cues_of(sample: Sample, of_message: Signals, rank: Logistic, about: About) -> NDArray[np.float32]:
    """The cues of a sample, as the stage sees them."""
    about_values = about.score(sample.vector) if of_message.by_vectors else (0.0, 0.0)
    return cues.of_message(
        sample.message, sample.name, sample.index, of_message, rank.log_odds(of_message.of_facts), about_values
    )


def evened(samples: Sequence[Sample]) -> Floats:
    """What each sample weighs: half of a set are questions about the character."""
    sizes: dict[tuple[str, bool], int] = {}
    for sample in samples:
        sizes[sample.group, sample.asks] = sizes.get((sample.group, sample.asks), 0) + 1
    return np.array([PER_SET / 2 / sizes[sample.group, sample.asks] for sample in samples])


def one_threshold(samples: Sequence[Sample], values: Floats, model: Logistic) -> tuple[Logistic, float]:
    """The lowest threshold that lets few enough pass, in every set.

    Plain sentences fit many questions a little, so they need more than facts that questions were made for: what they
    need more goes into the weight of the cue `prose`.
    """
    odds = model.log_odds(values)
    prose = values[:, model.names.index("prose")] > 0
    usual, of_prose = (_needed(samples, odds, among) for among in (~prose, prose))
    weight = model.weights.copy()
    weight[model.names.index("prose")] += usual - of_prose
    return replace(model, weights=weight), float(probability(usual))


def _needed(samples: Sequence[Sample], odds: Floats, among: NDArray[np.bool_]) -> float:
    """Log odds that few enough of the messages that don't ask for a fact reach, in every set."""
    needed = [0.0]
    for group in {sample.group for sample in samples}:
        for most, apart in ((MOST_FALSE, False), (MOST_FALSE_ATTRIBUTION, True)):
            idle = np.array([each.group == group and each.is_idle(apart=apart) for each in samples])
            passing = -np.sort(-odds[idle & among])
            allowed = int(most * idle.sum())
            if len(passing) > allowed:
                needed.append(float(passing[allowed]) + 1e-3)
    return max(needed[1:] or needed)


def logistic(values: Floats, labels: NDArray[np.bool_], weight: Floats, ridge: float) -> Floats:
    """Logistic regression by Newton's method; the last weight is the intercept, which the ridge leaves alone."""
    x = np.c_[values, np.ones(len(values))].astype(float)
    penalty = np.diag([*[ridge] * values.shape[1], 1e-6])
    beta = np.zeros(x.shape[1])
    for _ in range(ROUNDS):
        p = probability(x @ beta)
        slope = x.T @ (weight * (labels - p)) - penalty @ beta
        beta += np.linalg.solve((x * (weight * p * (1 - p))[:, None]).T @ x + penalty, slope)
    return beta


def figures(samples: Sequence[Sample], model: Weights) -> Mapping[str, float]:
    """What the models reach on samples: hit@3, and false triggers by their kind."""
    deciding = model.by_vectors
    outcomes: dict[str, list[bool]] = {}
    for sample in samples:
        ranks = deciding.rank.log_odds(sample.with_vectors.of_facts)
        odds = deciding.asked.log_odds(cues_of(sample, sample.with_vectors, deciding.rank, model.about))
        speaks = bool(probability(odds) >= deciding.threshold)
        if sample.asks:
            hit = bool(sample.right[np.argsort(-ranks, kind="stable")[:BEST]].any())
            outcomes.setdefault("hit@3", []).append(hit and speaks)
        else:
            kind = FALSE_ATTRIBUTION if sample.kind == FALSE_ATTRIBUTION else "other false triggers"
            outcomes.setdefault(kind, []).append(speaks)
    return {name: float(np.mean(values)) for name, values in outcomes.items()}


def write(model: Weights, sources: str, file: Path) -> None:
    """Write what `weights.shipped` reads."""
    direction = model.about.direction
    document = {
        "sources": sources,
        "embedder": model.embedder,
        "by vectors": _as_json(model.by_vectors),
        "by words": _as_json(model.by_words),
        "about": {"intercept": round(direction.intercept, 4), "weights": direction.weights.round(4).tolist()},
    }
    file.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    scale, (about_character, others) = in_bytes(model.about.about_character, model.about.others)
    np.savez(file.with_suffix(".npz"), scale=scale, about_character=about_character, others=others)


def in_bytes(*examples: Vectors) -> tuple[np.float32, list[NDArray[np.int8]]]:
    """Vectors with a byte a number, and how many of its steps are 1."""
    scale = np.float32(127 / max(float(np.abs(each).max()) for each in examples))
    return scale, [np.round(each * scale).astype(np.int8) for each in examples]


def _as_json(model: Deciding) -> dict[str, Any]:
    linear = {
        name: {
            **{
                signal: round(weight, 4)
                for signal, weight in zip(linear_model.names, linear_model.weights.tolist(), strict=True)
            },
            "intercept": round(linear_model.intercept, 4),
        }
        for name, linear_model in (("rank", model.rank), ("asked", model.asked), ("right", model.right))
    }
    typical = dict(zip(model.asked.names, model.typical.round(4).tolist(), strict=True))
    return linear | {"threshold": model.threshold, "typical": typical}
