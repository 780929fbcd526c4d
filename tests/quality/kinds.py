"""The kinds of labelled data, and who predicts them."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.quality import attacks, background, cards, contradictions, memory, probe, relations, stated
from tests.quality.files import Data
from tests.quality.vectors import StoredVectors

Predict = Callable[[Data, StoredVectors], Iterator[Mapping[str, Any]]]

PREDICT: Mapping[str, Predict] = {
    "A": background.predict,
    "B": probe.predict,
    "C": memory.predict,
    "D": relations.relations,
    "D2": relations.shifts,
    "E1": attacks.predict,
    "E2": contradictions.predict,
    "U": stated.predict,
}
SAYS: Mapping[str, Callable[[Data, Path, StoredVectors], Iterator[str]]] = {
    "A": background.calibration,
    "D": relations.precision,
    "E1": attacks.summary,
    "E2": contradictions.precision,
    "U": stated.summary,
}
"""What a kind can tell of its predictions besides, as lines."""
COMPARE: Mapping[str, Callable[[Path], Iterator[cards.Result]]] = {"F": cards.compare}
"""What has no rows: a folder of files, each of which must come out as it came in."""
