"""Which messages are near each other, and which pairs are worth classifying. Plain numpy, no Django."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

BLOCK = 512
"""Rows compared at once: 10 MB of scores for 5,000 messages."""
DIGITS = 4
"""Scores are rounded: BLAS gives the last digits otherwise when a message was added, and nothing has changed then."""


def nearest(vectors: Floats, *, anchors: int, floor: float) -> dict[tuple[int, int], float]:
    """Each row's `anchors` nearest other rows whose cosine is at least `floor`: (earlier, later) -> cosine.

    `vectors` has one row of unit length per message, oldest first. A pair that both ends chose is there once.
    """
    pairs: dict[tuple[int, int], float] = {}
    count = min(anchors, len(vectors) - 1)
    if count < 1:
        return pairs
    for start in range(0, len(vectors), BLOCK):
        block = vectors[start : start + BLOCK] @ vectors.T
        itself = np.arange(len(block))
        block[itself, start + itself] = -2.0
        top = np.argpartition(block, -count, axis=1)[:, -count:]
        scores = np.take_along_axis(block, top, axis=1)
        for row, place in zip(*np.nonzero(scores >= floor), strict=True):
            ends = start + int(row), int(top[row, place])
            pairs[min(ends), max(ends)] = round(float(scores[row, place]), DIGITS)
    return pairs


def ranked(pairs: Mapping[tuple[int, int], float]) -> dict[int, list[int]]:
    """Of each message its neighbours, nearest first; the older one first where two are equally near."""
    neighbours: dict[int, list[tuple[float, int]]] = {}
    for (earlier, later), score in pairs.items():
        neighbours.setdefault(earlier, []).append((-score, later))
        neighbours.setdefault(later, []).append((-score, earlier))
    return {message: [other for _, other in sorted(others)] for message, others in neighbours.items()}


def frontier_pairs(
    neighbours: Mapping[int, Sequence[int]], texts: Mapping[int, str], *, anchors: int, frontier: int
) -> set[tuple[int, int]]:
    """The pairs that the second pass classifies, each once, as (lower id, higher id).

    Of each message M its `anchors` nearest N, and of each N its `frontier` nearest F, M and texts that repeat
    M's left out. M's own `frontier` nearest count as well: where only two messages touch a subject ("I want to start
    yoga", "I changed my mind, no yoga") no third one leads from one to the other.
    """
    return {
        (min(message, other), max(message, other))
        for message in neighbours
        for other in _reached(message, neighbours, anchors, frontier)
        if other != message and _plain(texts[other]) != _plain(texts[message])
    }


def _reached(message: int, neighbours: Mapping[int, Sequence[int]], anchors: int, frontier: int) -> set[int]:
    reached = set(neighbours[message][:frontier])
    for anchor in neighbours[message][:anchors]:
        reached.update([other for other in neighbours[anchor] if other != message][:frontier])
    return reached


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
