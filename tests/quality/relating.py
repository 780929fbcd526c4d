"""Kinds D and D2: how two messages are related, and whether the second one turns to another subject."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from characters.memory.enrichment import cues
from characters.memory.enrichment.prompt import Pair, Said
from tests.quality import files
from tests.quality.vectors import KeptVectors
from tests.quality.world import NOW


def relations(data: files.Data, vectors: KeptVectors) -> Iterator[Mapping[str, Any]]:
    """Per row the class that words and vectors show, drawn or not."""
    for row, pair in _pairs(data, vectors):
        verdict = cues.classify(pair)
        yield {"id": row.id, "relation": verdict.relation if verdict else "Unrelated"}


def shifts(data: files.Data, vectors: KeptVectors) -> Iterator[Mapping[str, Any]]:
    """Per row 1 where the second message has another subject, else 0."""
    for row, pair in _pairs(data, vectors):
        yield {"id": row.id, "shift": int(cues.turns_away(pair))}


def _pairs(data: files.Data, vectors: KeptVectors) -> Iterator[tuple[files.PairRow, Pair]]:
    return pairs(files.rows(data, files.PairRow), vectors)


def pairs(rows: Sequence[files.PairRow], vectors: KeptVectors) -> Iterator[tuple[files.PairRow, Pair]]:
    """Each row with its messages as enrichment is given them."""
    vectors.prepare([text for row in rows for text in (row.source, row.target)])
    for row in rows:
        one, other = vectors.embed([row.source, row.target])
        yield row, Pair(Said("1", row.source, NOW), Said("2", row.target, NOW), float(one @ other))
