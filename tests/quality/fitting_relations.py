"""Fits the weights of `characters.memory.enrichment.learned` anew, for `tests.quality.fit_relations`.

    tests.quality.fit_relations EVALS

Sources: the development rows of Molweni (replies in Ubuntu's help channel, six classes), of MT-Eval and MT-Bench-ext
(requests of one person in a row, Follow-up only: all `d_relations`), and of TIAGE (small talk of Persona-Chat, turns to
another subject: `d_topicshift`). Rows that occur several times count by the root of their number, classes are evened
out in part, and signals are standardised before the ridge. Folds never share a dialogue; Molweni's rows name none, so
those that share a text stand in one fold.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from characters.memory.enrichment import cues, signals
from characters.memory.enrichment.learned import Learned, Logistic
from characters.memory.enrichment.signals import Signals
from characters.memory.enrichment.traits import Both
from tests.quality.files import PairRow

Floats = NDArray[np.float64]

CLASSES = ("Causal", "Contrast", "Elaboration", "Follow-up", "Reframe/Correction", "Unrelated")
SHIFTS = ("none", "shift")
CORPORA = {"molweni": 1.0, "mt-eval-refine": 0.5, "mt-bench-ext": 0.5}
"""How much a row counts. The figures that are told are of the first one, which alone has all classes."""
APART = "Unrelated"
"""Of this class are pairs that were drawn at random: they tie no dialogues together."""
RIDGE_RELATIONS, RIDGE_SHIFTS = 60.0, 30.0
EVENING = 0.7
"""Power of a class's weight: 0 leaves the classes as they are, 1 makes them even."""
FOLDS, DEALS, ROUNDS = 5, 2, 12
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled pair. `group` is its dialogue, `weight` what it counts in the fit; figures are of the scored."""

    both: Both
    found: Signals
    label: str
    group: str
    weight: float = 1.0
    is_scored: bool = True


Train = Callable[[Sequence[Sample]], Learned]


def relation_samples(rows: Sequence[PairRow], pairs_of_rows: Sequence[Both]) -> list[Sample]:
    """Samples of the rows, in order."""
    often = Counter((row.source, row.target) for row in rows)
    groups = _groups(rows)
    return [
        Sample(
            both,
            signals.of_relation(both),
            row.relation,
            group,
            CORPORA[row.corpus] * often[row.source, row.target] ** -0.5,
            is_scored=CORPORA[row.corpus] == 1,
        )
        for row, both, group in zip(rows, pairs_of_rows, groups, strict=True)
    ]


def shift_samples(rows: Sequence[PairRow], pairs_of_rows: Sequence[Both]) -> list[Sample]:
    """Samples of the rows, in order."""
    pairs = zip(rows, pairs_of_rows, strict=True)
    return [Sample(both, signals.of_shift(both), SHIFTS[row.shift], row.dialogue) for row, both in pairs]


def _groups(rows: Sequence[PairRow]) -> Iterator[str]:
    """Of each row the first of all texts that it is tied to."""
    above: dict[str, str] = {}

    def top(text: str) -> str:
        while above.setdefault(text, text) != text:
            text = above[text]
        return text

    for row in rows:
        if row.relation != APART:
            above[top(row.source)] = top(row.target)
    return (top(row.source) for row in rows)


def fit_relations(found: Sequence[Sample]) -> Logistic:
    """Six classes, evened out in part."""
    sums = {name: sum(each.weight for each in found if each.label == name) for name in CLASSES}
    even = sum(sums.values()) / len(CLASSES)
    weight = np.array([each.weight * (even / sums[each.label]) ** EVENING for each in found])
    return fit(found, CLASSES, weight, RIDGE_RELATIONS)


def fit_shifts(found: Sequence[Sample]) -> Logistic:
    """Two classes as they come; where a shift begins is told by `best_from`."""
    return fit(found, SHIFTS, np.ones(len(found)), RIDGE_SHIFTS)


def fit(found: Sequence[Sample], classes: Sequence[str], weight: Floats, ridge: float) -> Logistic:
    """Multinomial logistic regression over standardised signals, told in weights of the signals as they are."""
    names = tuple(found[0].found)
    x = np.array([[each.found[name] for name in names] for each in found])
    middle, spread = x.mean(0), x.std(0) + 1e-6
    y = np.array([[float(each.label == name) for name in classes] for each in found])
    beta = _newton(np.c_[(x - middle) / spread, np.ones(len(x))], y, weight, ridge)
    slopes = beta[:-1] / spread[:, None]
    return Logistic(tuple(classes), names, np.vstack([slopes, beta[-1] - middle @ slopes]).round(DIGITS))


def _newton(x: Floats, y: Floats, weight: Floats, ridge: float) -> Floats:
    size, classes = x.shape[1], y.shape[1]
    penalty = np.repeat([*[ridge] * (size - 1), 1e-3], classes)
    beta = np.zeros(size * classes)
    for _ in range(ROUNDS):
        logits = x @ beta.reshape(size, classes)
        p = np.exp(logits - logits.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        slope = (x.T @ (weight[:, None] * (y - p))).ravel() - penalty * beta
        inner = weight[:, None, None] * (p[:, :, None] * np.eye(classes) - p[:, :, None] * p[:, None, :])
        bend = np.einsum("ni,nab,nj->iajb", x, inner, x, optimize=True).reshape(beta.size, beta.size)
        beta = beta + np.linalg.solve(bend + np.diag(penalty), slope)
    shaped: Floats = beta.reshape(size, classes)
    return shaped


def best_from(chances: Sequence[float], labels: Sequence[str]) -> float:
    """The probability from which F1 of the shifts is best."""
    order = np.argsort([-chance for chance in chances], kind="stable")
    right = np.cumsum([labels[place] == "shift" for place in order])
    f1 = 2 * right / (np.arange(1, len(order) + 1) + right[-1])
    last = int(f1.argmax())
    following = order[min(last + 1, len(order) - 1)]
    return round(float(chances[order[last]] + chances[following]) / 2, DIGITS)


def relation_score(found: Sequence[Sample], said: Sequence[str]) -> float:
    """Macro-F1 of the six classes."""
    return float(np.mean([f1(found, said, name) for name in CLASSES]))


def f1(found: Sequence[Sample], said: Sequence[str], name: str) -> float:
    """F1 of a class."""
    scored = [(each.label, told) for each, told in zip(found, said, strict=True) if each.is_scored]
    right = sum(label == told == name for label, told in scored)
    counted = sum((label == name) + (told == name) for label, told in scored)
    return 2 * right / max(1, counted)


def said_of_relations(model: Learned, found: Sequence[Sample]) -> list[str]:
    """What the stage says with this model."""
    verdicts = (cues.verdict(each.both, model) for each in found)
    return [verdict.relation if verdict else APART for verdict in verdicts]


def said_of_shifts(model: Learned, found: Sequence[Sample]) -> list[str]:
    """What the stage says with this model."""
    return [SHIFTS[cues.is_shift(each.both, model)] for each in found]


def shift_chances(model: Logistic, found: Sequence[Sample]) -> list[float]:
    """Of each sample the probability of a shift."""
    return [model.chances(each.found)["shift"] for each in found]


def folds(found: Sequence[Sample], deal: int) -> Iterator[NDArray[np.bool_]]:
    """Which samples are left out, once per fold; samples of one group are left out together."""
    groups = sorted({each.group for each in found})
    np.random.default_rng(deal).shuffle(groups)
    fold = {group: place % FOLDS for place, group in enumerate(groups)}
    of = np.array([fold[each.group] for each in found])
    return (of == number for number in sorted(set(fold.values())))
