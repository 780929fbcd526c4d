"""Calibration: how strongly must a message point to a base to be about it? Measured on messages about no base.

Strength is a logistic regression over five signals (`tests/quality/probe_weights.py`). The strength needed differs
between sets of bases: `calibrate` runs idle messages through the bases in scope and lets 3 % of small talk and 8 % of
general questions pass.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean, pstdev

from characters.domain import words
from characters.domain.topics import GENERAL, SMALL_TALK

BEST, ABOVE_IDLE, EVIDENCE, SUBJECT, BEFORE, INTERCEPT = 2.6, 1.1, 2.3, 2.5, 3.9, -12.0
PASSING_SMALL_TALK, PASSING_GENERAL = 0.03, 0.08
TYPICAL = (0.17, 0.10)
"""Mean and spread of the best similarity of idle messages, for a base that wasn't measured."""
TYPICAL_NEEDED = -0.4
LEAST_SPREAD = 0.02
"""Added to every spread, since a base of one chunk has hardly any."""
MOST_ABOVE = 8.0

Tops = Sequence[Sequence[float]]
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

    def strength(self, base: str, best: float, evidence: float, subject: float, before: float) -> float:
        """Return the log odds that the message is about `base`; `subject` is the summed rarity of its words."""
        middle, spread = self.usual.get(base, TYPICAL)
        above = min(MOST_ABOVE, (best - middle) / (spread + LEAST_SPREAD))
        signals = BEST * best + ABOVE_IDLE * above + EVIDENCE * evidence + SUBJECT * math.log1p(subject)
        return signals + BEFORE * before + INTERCEPT


def points(best: float, mean_of_three: float, evidence: float) -> float:
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


def calibrate(tops: Mapping[str, Tops], counts: Mapping[str, WordCounts]) -> Calibration:
    """Measure which strength is needed and which similarity is usual; `tops` has the measured bases."""
    measured = {slug: rows for slug, rows in tops.items() if len(rows) == len(SMALL_TALK) + len(GENERAL)}
    if not measured:
        return Calibration()
    firsts = {slug: [row[0] if row else 0.0 for row in rows] for slug, rows in measured.items()}
    usual = {slug: (mean(values), pstdev(values)) for slug, values in firsts.items()}
    strengths = _strengths(Calibration(usual=usual), measured, counts)
    small, general = sorted(strengths[: len(SMALL_TALK)]), sorted(strengths[len(SMALL_TALK) :])
    return Calibration(max(_quantile(small, 1 - PASSING_SMALL_TALK), _quantile(general, 1 - PASSING_GENERAL)), usual)


def _strengths(bare: Calibration, tops: Mapping[str, Tops], counts: Mapping[str, WordCounts]) -> list[float]:
    """Return, for each idle message, its strength for the base it points to most."""
    strengths = []
    for place, text in enumerate((*SMALL_TALK, *GENERAL)):
        shares = shares_of(sorted(set(words.stems(text))), counts)
        evidence = {slug: evidence_of(slug, shares) for slug in tops}
        rows = {slug: list(each[place]) or [0.0] for slug, each in tops.items()}
        top = max(rows, key=lambda slug: points(rows[slug][0], mean(rows[slug][:3]), evidence[slug]))
        strengths.append(bare.strength(top, rows[top][0], evidence[top], subject_of(text), 0.0))
    return strengths


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
