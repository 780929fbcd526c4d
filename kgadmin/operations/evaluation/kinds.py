"""The kinds of labelled data, and who predicts them."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kgadmin.operations.evaluation import background, cards, probing, recalling, relating
from kgadmin.operations.evaluation.files import Data
from kgadmin.operations.evaluation.vectors import KeptVectors

Predict = Callable[[Data, KeptVectors], Iterator[Mapping[str, Any]]]

PREDICT: Mapping[str, Predict] = {
    "A": background.predict,
    "B": probing.predict,
    "C": recalling.predict,
    "D": relating.relations,
    "D2": relating.shifts,
}
SAYS: Mapping[str, Callable[[Data, Path], Iterator[str]]] = {"A": background.calibration}
"""What a kind can tell of its predictions besides, as lines."""
COMPARE: Mapping[str, Callable[[Path], Iterator[cards.Result]]] = {"F": cards.compare}
"""What has no rows: a folder of files, each of which must come out as it came in."""
LATER: Mapping[str, str] = {
    "E1": "Kind E1 comes with the review queue of learned facts.",
    "E2": "Kind E2 comes with the review queue of learned facts.",
}
"""What can't be evaluated yet."""
