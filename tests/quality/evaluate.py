"""`tests.quality.evaluate`: run the turn's own stages over labelled rows and write what they predict."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from tests.quality.cards import summary
from tests.quality.files import EvaluationError, locate, write
from tests.quality.kinds import COMPARE, PREDICT, SAYS
from tests.quality.vectors import StoredVectors


class Command(BaseCommand):
    help = (
        "Runs a stage over labelled rows: A background, B probe, C memory, D relations, D2 topic shift, "
        "E1 attacks, obeyed and approved (minutes), E2 contradiction, U facts that messages state; "
        "F compares character cards with what is left of them after import and export. "
        "Exit code 1 for files that can't be read or differ, 2 for a kind that can't be evaluated."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", metavar="KIND", help=", ".join([*PREDICT, *COMPARE]))
        parser.add_argument("gold", metavar="GOLD.jsonl|FOLDER", type=Path, help="the rows; a folder's .jsonl files")
        parser.add_argument("--material", metavar="FILE", type=Path, help="facts, passages or conversations (JSON)")
        parser.add_argument("--predictions", metavar="OUT.jsonl", type=Path, required=True, help="is written anew")

    def handle(self, *args: Any, kind: str, gold: Path, predictions: Path, **options: Any) -> None:
        if kind in COMPARE:
            self._compare(kind, gold, predictions)
            return
        if kind not in PREDICT:
            raise CommandError(f"There is no kind {kind}; there are {', '.join([*PREDICT, *COMPARE])}.", returncode=2)
        try:
            vectors = StoredVectors(wiring.embedder(), Path(settings.DATA_DIR) / "evaluation")
            try:
                data = locate(gold, options["material"])
                count = write(predictions, PREDICT[kind](data, vectors))
            finally:
                vectors.save()
        except EvaluationError as error:
            raise CommandError(str(error)) from error
        except StoreError as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"{count} predictions in {predictions}")
        for line in SAYS[kind](data, predictions, vectors) if kind in SAYS else ():
            self.stdout.write(line)

    def _compare(self, kind: str, folder: Path, predictions: Path) -> None:
        try:
            results = list(COMPARE[kind](folder))
            write(predictions, iter(results))
        except EvaluationError as error:
            raise CommandError(str(error)) from error
        for row in results:
            for difference in row["differences"]:
                self.stdout.write(f"{row['id']}: {difference}")
        self.stdout.write(f"{summary(results)}; in {predictions}")
        if any(row["differences"] for row in results):
            raise CommandError("Not everything is as it should be.", returncode=1)
