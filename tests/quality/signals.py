"""The signals of the probe's strength, of a message among the bases of a shelf."""

import math

from characters.turn.calibration import LEAST_SPREAD, MOST_ABOVE, subject_of
from characters.turn.choice import RawScores, raw_scores, score_bases
from characters.turn.request import Match
from tests.quality.probe import Shelf
from tests.quality.vectors import StoredVectors

NEAREST = 3


class Signals:
    """What `Calibration.strength` weighs."""

    def __init__(self, shelf: Shelf, vectors: StoredVectors) -> None:
        self._shelf, self._vectors = shelf, vectors
        readers = shelf.readers(vectors)
        self._nearest, self._counts = readers.nearest, readers.word_counts(shelf.bases, ())
        self._usual = readers.calibration(shelf.bases).usual

    def of(self, message: str) -> list[float]:
        """In the order of the weights, for the base that most points to."""
        top = score_bases(self._raw(message), (), {})[0]
        middle, spread = self._usual[top.base]
        above = min(MOST_ABOVE, (top.best - middle) / (spread + LEAST_SPREAD))
        return [top.best, above, top.evidence, math.log1p(subject_of(message))]

    def _raw(self, message: str) -> RawScores:
        nearest = self._nearest(self._shelf.bases, self._vectors.embed([message]), NEAREST).matches
        hits = [Match(slug, id_, score) for slug, lists in nearest.items() for id_, score in lists[0]]
        return raw_scores(message, self._shelf.bases, {message: hits}, self._counts)
