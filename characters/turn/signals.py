"""Signals for each fact of a sheet as the answer to a message. Numbers only; `weights` weighs them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from characters.domain import words
from characters.turn.fact_index import FactIndex, Floats, Places

NAMES = (
    "question",
    "general",
    "sentence",
    "labelled",
    "words",
    "named",
    "concept",
    "rare words",
    "question above others",
    "sentence above others",
)
QUESTION, GENERAL, SENTENCE, LABELLED, WORDS, NAMED, CONCEPT, RARE, QUESTION_ABOVE, SENTENCE_ABOVE = range(len(NAMES))
LEAST_SPREAD = 0.05
"""Added to the spread of a signal, since a handful of facts has hardly any."""
_NOBODY: Places = np.zeros(0, dtype=np.intp)


@dataclass(frozen=True, slots=True)
class Signals:
    """Signals of each fact for one message. Row i of `of_facts` is fact i; its columns are `NAMES`."""

    of_facts: Floats
    by_vectors: bool
    """Whether vectors could be compared; else only words count."""
    stems: Mapping[str, float]
    """Rarity in English of the message's subject words, by stem."""
    most_words: float
    """`rare words` of a fact that has all of them."""


def of_facts(index: FactIndex, message: str, vector: Floats | None) -> Signals:
    """Compare the message with every fact at once."""
    values = np.zeros((len(index.facts), len(NAMES)), dtype=np.float32, order="F")
    by_vectors = vector is not None and index.dimensions == len(vector) and bool(index.known.any())
    stems = {stem: words.stem_rarity(stem) for stem in words.stems(message)}
    most = _match_words(index, stems, values)
    if vector is not None and by_vectors:
        _compare(index, vector, values)
    for stem in {words.stem(word) for word in words.tokens(message)}:
        values[index.members.get(stem, _NOBODY), CONCEPT] = 1
    return Signals(values, by_vectors, stems, most)


def _compare(index: FactIndex, vector: Floats, values: Floats) -> None:
    values[:, QUESTION] = index.questions.best(vector)
    values[:, GENERAL] = index.general.best(vector)
    values[:, SENTENCE] = index.sentence_vectors @ vector
    values[:, LABELLED] = index.labelled_vectors @ vector
    unknown = ~index.known  # until its vectors are made, words stand in for meaning
    for signal in (QUESTION, SENTENCE, LABELLED):
        values[:, signal] = np.clip(values[:, signal], 0, 1)
        values[unknown, signal] = np.minimum(1, values[unknown, WORDS] + values[unknown, NAMED])
    values[:, QUESTION_ABOVE] = _above(values[:, QUESTION])
    values[:, SENTENCE_ABOVE] = _above(values[:, SENTENCE])


def _above(values: Floats) -> Floats:
    above: Floats = (values - values.mean()) / (values.std() + LEAST_SPREAD)
    return above


def _match_words(index: FactIndex, stems: Mapping[str, float], values: Floats) -> float:
    """Score shared words by their rarity in English, and for `rare words` by their rarity among these facts (as in
    BM25).
    """
    total, most = sum(stems.values()), 0.0
    for stem, weight in stems.items():
        inside, named = index.with_stem.get(stem, _NOBODY), index.named_by.get(stem, _NOBODY)
        values[inside, WORDS] += weight / total
        values[named, NAMED] += weight / total
        either = np.union1d(inside, named)
        values[either, RARE] += _rarity_here(len(either), len(index.facts)) / 10
        most += _rarity_here(len(either), len(index.facts)) * weight / 30
    return most


def _rarity_here(having: int, facts: int) -> float:
    return math.log1p((facts - having + 0.5) / (having + 0.5))
