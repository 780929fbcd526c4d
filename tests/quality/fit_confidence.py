"""`tests.quality.fit_confidence`: fit what the parts of a claim's confidence count anew, from labelled claims."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser

from characters.review.verdicts import confidence
from tests.quality import fitting_confidence as fitting
from tests.quality.files import EvaluationError
from tests.quality.fitting_confidence import Sample

SOURCES = "Fitted by `tests.quality.fit_confidence` on tests/data/claims_confidence.jsonl, written for this program."


class Command(BaseCommand):
    help = "Writes the weights of characters/review/verdicts/confidence.py, and tells how near they come."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("labelled", metavar="FILE.jsonl", type=Path, help="the labelled claims")
        parser.add_argument("--out", metavar="FILE", type=Path, default=confidence.FILE, help="is written anew")

    def handle(self, *args: Any, labelled: Path, out: Path, **options: Any) -> None:
        try:
            samples = fitting.samples(labelled)
        except EvaluationError as error:
            raise CommandError(str(error)) from error
        dev, held = ([each for each in samples if each.is_held == is_held] for is_held in (False, True))
        if not dev or not held:
            raise CommandError(f"{labelled} has no claims of both splits that can be read.")
        self._tell("held, by weights of dev", [(fitting.fit(dev), held)])
        self._tell("each half by weights of the other", [(fitting.fit(dev), held), (fitting.fit(held), dev)])
        weights = fitting.fit(samples)
        out.write_text(json.dumps({"sources": SOURCES, "weights": weights}, indent=1) + "\n", encoding="utf-8")
        self.stdout.write(f"{json.dumps(weights)}, fitted on all claims, in {out}")

    def _tell(self, what: str, judged: Sequence[tuple[Mapping[str, float], Sequence[Sample]]]) -> None:
        values = np.concatenate([fitting.confidences(weights, rows) for weights, rows in judged])
        table = fitting.bins(values, [row for _, rows in judged for row in rows])
        self.stdout.write(f"{what}: {len(values)} claims, expected error {fitting.expected_error(table):.3f}")
        for row in table:
            self.stdout.write(f"  {row.count} claims, confidence {row.confidence:.2f}, so {row.share:.2f}")
