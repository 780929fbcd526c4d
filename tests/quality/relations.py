"""Kinds D and D2: how two messages are related, and whether the second one turns to another subject."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from characters.memory.enrichment import cues
from characters.memory.enrichment.pairs import MessageText, Pair
from tests.quality import files
from tests.quality.vectors import StoredVectors
from tests.quality.world import NOW


def relations(data: files.Data, vectors: StoredVectors) -> Iterator[Mapping[str, Any]]:
    """Per row the class that words show; empty where it isn't classified."""
    for row, relation in _classified(data, vectors):
        yield {"id": row.id, "relation": relation}


def shifts(data: files.Data, vectors: StoredVectors) -> Iterator[Mapping[str, Any]]:
    """Per row 1 where the second message has another subject, else 0."""
    for row, relation in _classified(data, vectors):
        yield {"id": row.id, "shift": int(relation == "Topic Switch")}


def _classified(data: files.Data, vectors: StoredVectors) -> Iterator[tuple[files.PairRow, str]]:
    rows = files.rows(data, files.PairRow)
    vectors.prepare([text for row in rows for text in (row.source, row.target)])
    for row in rows:
        earlier, later = vectors.embed([row.source, row.target])
        pair = Pair(MessageText(row.source, 1, NOW), MessageText(row.target, 2, NOW), float(earlier @ later))
        verdict = cues.classify(pair)
        yield row, verdict.relation if verdict else ""


def precision(data: files.Data, predictions: Path, _: StoredVectors | None = None) -> Iterator[str]:
    """How many of the pairs that were classified are so by label, of each corpus and of all, with their number."""
    labels = {row.id: row for row in files.rows(data, files.PairRow)}
    right: dict[str, list[bool]] = {"precision": []}
    for line in filter(None, files.lines(predictions)):
        prediction = json.loads(line)
        row = labels[prediction["id"]]
        if prediction["relation"]:
            for name in (f"{row.corpus}/precision", "precision"):
                right.setdefault(name, []).append(prediction["relation"] == row.relation)
    for name, results in right.items():
        yield f"{name:45s} {sum(results) / max(1, len(results)):.4f}  n={len(results)}"
