"""Calibration: how strongly must a message point to a base to be about it? Measured on messages about no base.

Strength is a logistic regression over four signals (`tests/quality/probe_weights.py`). The strength needed differs
between sets of bases: `calibrate` runs idle messages through the bases in scope and lets few of each kind pass. Whether
a message is everyday talk needs no weights: it is nearer to messages of that kind than to any base (decision 023).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from characters.domain import words
from characters.domain.topics import EVERYDAY, GENERAL, IDLE, SMALL_TALK, TALK

BEST, ABOVE_IDLE, EVIDENCE, SUBJECT, INTERCEPT = 6.2, 0.7, 2.1, 1.8, -9.7
PASSING = ((len(SMALL_TALK), 0.03), (len(EVERYDAY), 0.05), (len(GENERAL), 0.06))
"""How many of each kind of idle messages there are, in their order, and the share that may pass."""
NEAREST_TALK = 3
TYPICAL = (0.17, 0.10)
"""Mean and spread of the best similarity of idle messages, for a base that wasn't measured."""
TYPICAL_NEEDED = -0.4
LEAST_NEEDED = -1.0
"""Log odds below which a message is about no base, however little idle messages point to it."""
LEAST_SPREAD = 0.02
"""Added to every spread, since a base of one chunk has hardly any."""
MOST_ABOVE = 8.0
BELOW_THRESHOLD = 0.93
"""Share of the idle messages whose nearest chunk of a base stays below its threshold."""
LEAST_THRESHOLD = 0.2
"""Below this nothing is about a base, not even one of a few chunks that no idle message resembles."""

Table = NDArray[np.float64]
Number = TypeVar("Number", float, Table)
Tops = Sequence[Sequence[float]] | NDArray[np.float32]
"""Highest similarities of each idle message in a base, best first."""


@dataclass(frozen=True, slots=True)
class WordCounts:
    """How often each stem occurs in a base."""

    counts: Mapping[str, int]
    total: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """What idle messages match in the bases in scope."""

    needed: float = TYPICAL_NEEDED
    """Strength from which a message is about a base."""
    usual: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Mean and spread of idle messages' best similarity, by base."""

    def strength(self, base: str, best: float, evidence: float, subject: float) -> float:
        """Return the log odds that the message is about `base`; `subject` is the summed rarity of its words."""
        middle, spread = self.usual.get(base, TYPICAL)
        above = min(MOST_ABOVE, (best - middle) / (spread + LEAST_SPREAD))
        signals = BEST * best + ABOVE_IDLE * above + EVIDENCE * evidence + SUBJECT * math.log1p(subject)
        return signals + INTERCEPT


def points(best: Number, mean_of_three: Number, evidence: Number) -> Number:
    """Return how strongly similarity and words point to a base."""
    return 7.9 * best + 5.7 * mean_of_three + 3.2 * evidence


def shares_of(stems: Sequence[str], counts: Mapping[str, WordCounts]) -> dict[str, dict[str, float]]:
    """Return each stem's rate per base over the sum of its rates in all bases, so that size gives no advantage."""
    shares = {}
    for stem in stems:
        rates = {slug: known.counts.get(stem, 0) / known.total for slug, known in counts.items() if known.total}
        total = sum(rates.values())
        shares[stem] = {slug: rate / total for slug, rate in rates.items()} if total else {}
    return shares


def evidence_of(base: str, shares: Mapping[str, Mapping[str, float]]) -> float:
    """Return the log evidence of words, `log(1 + sum(share x rarity^2) / 10)`, by base."""
    return math.log1p(sum(each.get(base, 0.0) * words.stem_rarity(stem) ** 2 for stem, each in shares.items()) / 10)


def subject_of(text: str) -> float:
    """Return the summed rarity of the text's words, each counted once."""
    return sum(words.stem_rarity(stem) for stem in set(words.stems(text)))


def likeness_to_talk(vector: NDArray[np.float32], talk: NDArray[np.float32]) -> float:
    """Return the mean cosine of a message with the nearest messages of everyday talk. Row i of `talk` is `TALK[i]`."""
    return float(np.sort(talk @ vector)[-NEAREST_TALK:].mean())


def idle_likeness(idle: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return each idle message's likeness to the other messages of everyday talk. Row i of `idle` is `IDLE[i]`."""
    cosines = idle @ idle[: len(TALK)].T
    np.fill_diagonal(cosines, -1.0)
    nearest: NDArray[np.float32] = np.sort(cosines, axis=1)[:, -NEAREST_TALK:].mean(axis=1)
    return nearest


def threshold_of(tops: Tops) -> float:
    """Return the similarity to a base that is more than talk about anything reaches, in steps of 0.01."""
    firsts = [row[0] if len(row) else 0.0 for row in tops]
    usual = float(np.quantile(firsts, BELOW_THRESHOLD)) if firsts else 0.0
    return max(LEAST_THRESHOLD, math.ceil(usual * 100) / 100)


def calibrate(tops: Mapping[str, Tops], counts: Mapping[str, WordCounts], likeness: NDArray[np.float32]) -> Calibration:
    """Measure which strength is needed and which similarity is usual; `tops` has the measured bases, `likeness` how
    much each idle message resembles other talk: those that are silent by that need no strength to hold them back.
    """
    measured = {slug: np.array(rows, dtype=np.float64) for slug, rows in tops.items() if len(rows) == len(IDLE)}
    if not measured:
        return Calibration()
    firsts = np.stack([rows[:, 0] if rows.size else np.zeros(len(IDLE)) for rows in measured.values()], axis=1)
    means = np.stack([rows.mean(axis=1) if rows.size else np.zeros(len(IDLE)) for rows in measured.values()], axis=1)
    usual = {slug: (float(each.mean()), float(each.std())) for slug, each in zip(measured, firsts.T, strict=True)}
    strengths = _strengths(Calibration(usual=usual), list(measured), firsts, means, _evidence(list(measured), counts))
    audible = np.where(firsts.max(axis=1) > likeness, strengths, -math.inf)
    needed, start = LEAST_NEEDED, 0
    for count, share in PASSING:
        needed = max(needed, float(np.quantile(audible[start : start + count], 1 - share, method="higher")))
        start += count
    return Calibration(needed, usual)


def _strengths(bare: Calibration, slugs: Sequence[str], firsts: Table, means: Table, evidence: Table) -> list[float]:
    """Return, for each idle message, its strength for the base it points to most. Rows are messages, columns bases."""
    top = points(firsts, means, evidence).argmax(axis=1)
    chosen = zip(IDLE, range(len(IDLE)), top, strict=True)
    return [
        bare.strength(slugs[base], float(firsts[row, base]), float(evidence[row, base]), subject_of(text))
        for text, row, base in chosen
    ]


def _evidence(slugs: Sequence[str], counts: Mapping[str, WordCounts]) -> Table:
    """Return `evidence_of` each idle message for each base."""
    stems, has, weights = idle_stems()
    rates = np.zeros((len(stems), len(counts)))
    for column, known in enumerate(counts.values()):
        rates[:, column] = [known.counts.get(stem, 0) / (known.total or 1) for stem in stems]
    totals = rates.sum(axis=1, keepdims=True)
    shares = np.divide(rates, totals, out=np.zeros_like(rates), where=totals > 0)
    by_base = np.log1p(has @ (shares * weights[:, None]) / 10)
    columns = {slug: by_base[:, column] for column, slug in enumerate(counts)}
    return np.stack([columns.get(slug, np.zeros(len(IDLE))) for slug in slugs], axis=1)


@cache
def idle_stems() -> tuple[list[str], Table, Table]:
    """Return the stems of the idle messages, which message (row) has which stem, and the stems' squared rarity."""
    of_each = [set(words.stems(text)) for text in IDLE]
    stems = sorted(set().union(*of_each))
    has = np.array([[stem in each for stem in stems] for each in of_each], dtype=np.float64)
    return stems, has, np.array([words.stem_rarity(stem) ** 2 for stem in stems])
