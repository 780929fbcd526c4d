"""`tests.quality.fit_probe`: fit the probe's weights anew, from labelled rows."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from kgadmin.stores import wiring
from tests.quality.files import EvaluationError
from tests.quality.probe_weights import NAMES, fit, samples_of
from tests.quality.vectors import StoredVectors

SETS = ("b_xquad", "b_mixed")


class Command(BaseCommand):
    help = "Prints the weights of characters/turn/calibration.py as b_xquad and b_mixed say them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("evals", metavar="EVALS", type=Path, help="the folder with the sets")

    def handle(self, *args: Any, evals: Path, **options: Any) -> None:
        vectors = StoredVectors(wiring.embedder(), Path(settings.DATA_DIR) / "evaluation")
        try:
            samples = [each for name in SETS for each in samples_of(evals / name, vectors)]
        except EvaluationError as error:
            raise CommandError(str(error)) from error
        for name, weight in zip(NAMES, fit(samples), strict=True):
            self.stdout.write(f"{name} {weight:.1f}")
