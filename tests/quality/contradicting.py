"""Kind E2: whether a statement follows from what was said, contradicts it, or neither."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from characters.language.gate import contradiction, heard
from tests.quality import files, fitting_contradiction
from tests.quality.vectors import KeptVectors


def predict(data: files.Data, kept: KeptVectors) -> Iterator[Mapping[str, Any]]:
    """Per row its label, without a model."""
    rows = files.rows(data, files.ContradictionRow)
    kept.prepare([text for row in rows for text in heard.texts(row.context, row.statement)])
    for row in rows:
        listed = heard.texts(row.context, row.statement)
        vectors = dict(zip(listed, kept.embed(listed), strict=True))
        yield {"id": row.id, "label": contradiction.compare(row.context, row.statement, vectors).label}


def beside_baseline(data: files.Data, predictions: Path, kept: KeptVectors) -> Iterator[str]:
    """What a pair classifier over vectors reaches on these rows, and what ours does when it is fitted on them, too."""
    rows = [row for row in files.rows(data, files.ContradictionRow) if row.label in contradiction.LABELS]
    if len(rows) < fitting_contradiction.FOLDS * len(contradiction.LABELS):
        return
    said = files.labels(predictions)
    shipped = fitting_contradiction.macro_f1([row.label for row in rows], [said.get(row.id, "") for row in rows])
    ours, baseline = fitting_contradiction.crossed(fitting_contradiction.samples(rows, kept))
    yield f"macro-F1 with the weights of this program: {shipped:.3f}"
    yield f"macro-F1 fitted on these rows, cross-validated: {ours:.3f}"
    yield f"macro-F1 of the baseline (vectors of both, logistic regression), cross-validated: {baseline:.3f}"
