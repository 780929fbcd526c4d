"""Kind E2: whether a statement contradicts what was said."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from characters.language.contradictions import contradiction
from tests.quality import files
from tests.quality.vectors import StoredVectors

_SPEAKER = re.compile(r"<[^<>]*>")


def predict(data: files.Data, _: StoredVectors) -> Iterator[Mapping[str, Any]]:
    """Per row its label, by rules: what they don't call a contradiction is neutral."""
    for row in files.rows(data, files.ContradictionRow):
        why = contradiction(_SPEAKER.sub("\n", row.context), row.statement)
        yield {"id": row.id, "label": "Contradiction" if why else "Neutral"}


def precision(data: files.Data, predictions: Path, _: StoredVectors) -> Iterator[str]:
    """How many of those that are called contradictions are some."""
    labels = files.labels(predictions)
    called = [row.label for row in files.rows(data, files.ContradictionRow) if labels.get(row.id) == "Contradiction"]
    right = called.count("Contradiction")
    yield f"called contradictions: {len(called)}, of which {right} are"
