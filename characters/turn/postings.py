"""Which messages have which words: an inverted index, of stored arrays and of what was added since, and BM25."""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from characters.domain import words
from characters.domain.stem_keys import keys_of, places_of

Floats = NDArray[np.float32]
Arrays = Mapping[str, NDArray[Any]]

_K1, _B = 1.2, 0.75
"""BM25's usual constants (Robertson and Zaragoza 2009)."""
_PRIOR_MESSAGES = 20
"""Weight, in messages, of a word's rarity in English against its rarity here."""


def nothing() -> Arrays:
    """Return the arrays of an empty index."""
    return {
        "lengths": np.zeros(0, np.float32),
        "stems": np.zeros(0, np.uint64),
        "starts": np.zeros(1, np.int64),
        "rows": np.zeros(0, np.int32),
        "counts": np.zeros(0, np.float32),
    }


class Postings:
    """The words of messages. Stored are `lengths` by message, and by stem, `starts[i] : starts[i + 1]`, the `rows` with
    it and their `counts`, which need not be whole.
    """

    def __init__(self, stored: Arrays) -> None:
        self._stored = stored
        self._size = len(stored["lengths"])
        self._lengths = array("d")
        self._longer: defaultdict[int, float] = defaultdict(float)
        """Words that stored messages gained from newer neighbours, by row."""
        self._newer: dict[str, tuple[array[int], array[float]]] = {}

    def __len__(self) -> int:
        return self._size + len(self._lengths)

    @property
    def lengths(self) -> Floats:
        """Return each message's words."""
        lengths = np.concatenate([self._stored["lengths"], np.array(self._lengths, dtype=np.float32)])
        for row, more in self._longer.items():
            lengths[row] += more
        return lengths.astype(np.float32, copy=False)

    def append(self, stems: Counter[str]) -> None:
        """Add a message."""
        self._lengths.append(0.0)
        self.count(len(self) - 1, stems, 1.0)

    def count(self, row: int, stems: Counter[str], weight: float) -> None:
        """Count words for a message, each `weight` times."""
        for stem, count in stems.items():
            rows, counts = self._newer.setdefault(stem, (array("l"), array("d")))
            rows.append(row)
            counts.append(weight * count)
        if row < self._size:
            self._longer[row] += weight * stems.total()
        else:
            self._lengths[row - self._size] += weight * stems.total()

    def bm25(self, stems: Sequence[str]) -> Floats:
        """Return BM25 of each message, shape (messages,); 0 without a shared word."""
        scores = np.zeros(len(self), dtype=np.float32)
        if not len(scores):
            return scores
        norm = _norm(self.lengths, self.usual_length)
        stems = list(dict.fromkeys(stems))
        for stem, place in zip(stems, places_of(stems, self._stored["stems"]), strict=True):
            rows, counts = self._with_stem(stem, place)
            if len(rows):
                scores[rows] += _gain(self._idf(stem, len(rows)), counts, norm[rows])
        return scores

    @property
    def usual_length(self) -> float:
        """Return the messages' mean length."""
        return max(1.0, float(self.lengths.mean()))

    def gains(self, row: int, stems: Counter[str], usual: float) -> dict[str, float]:
        """Return what each of these words of a newer message adds to its BM25, where a message has `usual` words."""
        norm, names = _norm(self._lengths[row - self._size], usual), list(stems)
        return {
            stem: _gain(self._idf(stem, self._having(stem, place)), stems[stem], norm)
            for stem, place in zip(names, places_of(names, self._stored["stems"]), strict=True)
        }

    def arrays(self) -> Arrays:
        """Return everything as arrays to store."""
        known = self._stored["stems"]
        names = list(self._newer)
        merged = {
            key: self._with_stem(stem, place)
            for stem, key, place in zip(names, keys_of(names), places_of(names, known), strict=True)
        }
        starts = self._stored["starts"]
        postings = {
            key: (self._stored["rows"][start:end], self._stored["counts"][start:end])
            for key, start, end in zip(known, starts, starts[1:], strict=False)
        } | merged
        stems = sorted(postings)
        rows, counts = [postings[key][0] for key in stems], [postings[key][1] for key in stems]
        return {
            "lengths": self.lengths,
            "stems": np.array(stems, dtype=np.uint64),
            "starts": np.cumsum([0, *map(len, rows)], dtype=np.int64),
            "rows": np.concatenate([np.zeros(0, np.int32), *rows]).astype(np.int32),
            "counts": np.concatenate([np.zeros(0, np.float32), *counts]).astype(np.float32),
        }

    def _with_stem(self, stem: str, place: int | None) -> tuple[NDArray[np.int64], Floats]:
        """Return the rows with this stem, each once and ascending, and how often it counts for them."""
        start, end = self._span(place)
        rows, counts = self._stored["rows"][start:end], self._stored["counts"][start:end]
        if stem not in self._newer:
            return rows, counts
        newer_rows, newer_counts = self._newer[stem]
        all_rows, which = np.unique(np.concatenate([rows, np.array(newer_rows)]), return_inverse=True)
        weights = np.concatenate([counts, np.array(newer_counts)])
        return all_rows.astype(np.int64), np.bincount(which, weights=weights).astype(np.float32)

    def _span(self, place: int | None) -> tuple[int, int]:
        if place is None:
            return 0, 0
        start, end = self._stored["starts"][place : place + 2]
        return int(start), int(end)

    def _having(self, stem: str, place: int | None) -> int:
        """Return how many messages have this stem, or a neighbour with it; about, where some are newer."""
        start, end = self._span(place)
        newer = len(self._newer[stem][0]) if stem in self._newer else 0
        return min(len(self), end - start + newer)

    def _idf(self, stem: str, having: int) -> float:
        """Return a word's inverse document frequency, smoothed by its rarity in English where messages are few."""
        total = len(self)
        here = math.log(1 + (total - having + 0.5) / (having + 0.5))
        return (here * total + words.stem_rarity(stem) / 2 * _PRIOR_MESSAGES) / (total + _PRIOR_MESSAGES)


def _norm(length: Any, usual: float) -> Any:
    """Return the length's part of BM25's denominator, for one or many."""
    return _K1 * (1 - _B + _B * length / usual)


def _gain(idf: float, count: Any, norm: Any) -> Any:
    return idf * count * (_K1 + 1) / (count + norm)
