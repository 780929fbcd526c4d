"""Fits the weights of `characters.language.gate.contradiction` anew, and the baseline beside it.

Source: the development rows of `e_contradiction` (statements about snippets of spoken conversations, labelled by
people). Two models are fitted apart and their log odds added: one of figures, one of words of grammar, which alone
would find out who wrote a statement rather than what it says. The baseline sees the vectors u and v of both texts as
u, v, |u - v| and u * v, with the ridge that suited it best (of .3 to 100).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from characters.language.gate import heard
from characters.language.gate.contradiction import LABELS, Model
from tests.quality.files import ContradictionRow
from tests.quality.fitting_gate import CONSTANT, Floats, dual
from tests.quality.vectors import KeptVectors

FIGURES, GRAMMAR, BASELINE = 0.1, 0.316, 1.0
"""How freely weights may grow: the square root of one by the ridge."""
LEAST_OFTEN = 4
"""Statements that a piece of grammar has to stand in."""
FOLDS, DEALS = 5, 4
DIGITS = 4

Said = Sequence[str]
Train = Callable[[NDArray[np.int64]], NDArray[np.float64]]
"""Given the seen samples: log odds of all samples, a column per label."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled row, as the model and the baseline see it."""

    figures: dict[str, float]
    grammar: frozenset[str]
    pair: NDArray[np.float32]
    label: str


def samples(rows: Sequence[ContradictionRow], kept: KeptVectors) -> list[Sample]:
    """In order."""
    kept.prepare([text for row in rows for text in heard.texts(row.context, row.statement)])
    return [_sample(row, kept) for row in rows]


def _sample(row: ContradictionRow, kept: KeptVectors) -> Sample:
    listed = heard.texts(row.context, row.statement)
    vectors = dict(zip(listed, kept.embed(listed), strict=True))
    u, v = vectors[row.context], vectors[row.statement]
    figures = dict(heard.figures(row.context, row.statement, vectors))
    return Sample(figures, heard.grammar(row.statement), np.concatenate([u, v, abs(u - v), u * v]), row.label)


def fit(found: Sequence[Sample]) -> Model:
    """From all samples."""
    everything = np.arange(len(found))
    names, x, scale = _figures(found)
    pieces, y = _grammar(found)
    figures, grammar = (_primal(each, found, everything) for each in (x, y))
    rows = (figures[:-1] * scale[:, None]).round(DIGITS)
    middle = np.array([[sample.figures[name] for name in names] for sample in found]).mean(0)
    constant = CONSTANT * (figures[-1] + grammar[-1]) - middle @ rows
    return Model(
        {name: tuple(row) for name, row in zip(names, rows.tolist(), strict=True)},
        {piece: tuple(row) for piece, row in zip(pieces, (grammar[:-1] * GRAMMAR).round(DIGITS).tolist(), strict=True)},
        tuple(constant.round(DIGITS).tolist()),
    )


def crossed(found: Sequence[Sample]) -> tuple[float, float]:
    """Macro-F1 of the model and of the baseline, both on samples that neither saw; mean over several deals."""
    model, baseline = _of_model(found), _of_baseline(found)
    return tuple(float(np.mean([_score(found, train, deal) for deal in range(DEALS)])) for train in (model, baseline))  # type: ignore[return-value]


def macro_f1(labels: Said, said: Said) -> float:
    """Mean of the labels' F1."""
    scores = []
    for name in LABELS:
        right = sum(label == told == name for label, told in zip(labels, said, strict=True))
        counted = sum((label == name) + (told == name) for label, told in zip(labels, said, strict=True))
        scores.append(2 * right / max(1, counted))
    return float(np.mean(scores))


def _score(found: Sequence[Sample], train: Train, deal: int) -> float:
    said = np.empty(len(found), dtype=object)
    for left_out in _folds(found, deal):
        seen = np.setdiff1d(np.arange(len(found)), left_out)
        said[left_out] = [LABELS[best] for best in train(seen)[left_out].argmax(1)]
    return macro_f1([each.label for each in found], list(said))


def _folds(found: Sequence[Sample], deal: int) -> Iterator[NDArray[np.int64]]:
    order = np.random.default_rng(deal).permutation(len(found))
    return (order[fold::FOLDS] for fold in range(FOLDS))


def _of_model(found: Sequence[Sample]) -> Train:
    blocks = [_figures(found)[1], _grammar(found)[1]]
    trained = [_of_block(block, found) for block in blocks]
    return lambda seen: np.asarray(sum(train(seen) for train in trained))


def _of_baseline(found: Sequence[Sample]) -> Train:
    return _of_block(_with_constant(np.array([each.pair for each in found]) * BASELINE), found)


def _of_block(x: Floats, found: Sequence[Sample]) -> Train:
    alike = (x @ x.T).astype(np.float32)
    return lambda seen: np.asarray(alike[:, seen] @ _duals(alike, found, seen), dtype=np.float64)


def _primal(x: Floats, found: Sequence[Sample], seen: NDArray[np.int64]) -> Floats:
    weights: Floats = x[seen].T @ _duals((x @ x.T).astype(np.float32), found, seen)
    return weights


def _duals(alike: NDArray[np.float32], found: Sequence[Sample], seen: NDArray[np.int64]) -> Floats:
    inner, weight = alike[np.ix_(seen, seen)], np.ones(len(seen), dtype=np.float32)
    labels = [np.array([found[place].label == name for place in seen], dtype=np.float32) for name in LABELS]
    return np.array([dual(inner, each, weight) for each in labels]).T


def _figures(found: Sequence[Sample]) -> tuple[list[str], Floats, Floats]:
    names = list(found[0].figures)
    values = np.array([[each.figures[name] for name in names] for each in found])
    scale = FIGURES / (values.std(0) + 1e-6)
    return names, _with_constant((values - values.mean(0)) * scale), scale


def _grammar(found: Sequence[Sample]) -> tuple[list[str], Floats]:
    often = Counter(piece for each in found for piece in each.grammar)
    pieces = sorted(piece for piece, count in often.items() if count >= LEAST_OFTEN)
    return pieces, _with_constant(np.array([[piece in each.grammar for piece in pieces] for each in found]) * GRAMMAR)


def _with_constant(x: Floats) -> Floats:
    return np.asarray(np.c_[x, np.full(len(x), CONSTANT)], dtype=np.float64)
