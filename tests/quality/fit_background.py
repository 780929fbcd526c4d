"""`tests.quality.fit_background`: fit what the signals of the background count anew, from labelled rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from characters.domain import lexicon
from characters.domain.facts import all_texts
from characters.turn import signals, weights
from characters.turn.fact_index import build_index
from characters.turn.request import Vectors
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from tests.quality import files
from tests.quality import fitting_background as fitting
from tests.quality.fitting_background import Sample
from tests.quality.vectors import StoredVectors
from tests.quality.world import registry

EXAMPLES = weights.FILE.with_name("asking.txt")
SETS = ("a_rosie", "a_clinc_we", "a_locomo")
SOURCES = (
    "Fitted by `tests.quality.fit_background` on the development rows of ROSIE's properties, of CLINC150 (Larson et "
    "al. 2019; questions about the assistant, asked of the seed's characters) and of LoCoMo (Maharana et al. 2024; "
    "asked in the second person), and on characters/turn/asking.txt, which was written for this program. Weights "
    "only; the rows are not in this program."
)


class Command(BaseCommand):
    help = "Writes the weights of characters/turn/weights.py as a_rosie, a_clinc_we and a_locomo say them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("evals", metavar="EVALS", type=Path, help="the folder with the sets")
        parser.add_argument("--out", metavar="FILE", type=Path, default=weights.FILE, help="the weights, written anew")

    def handle(self, *args: Any, evals: Path, out: Path, **options: Any) -> None:
        embedder = wiring.embedder()
        vectors = StoredVectors(embedder, Path(settings.DATA_DIR) / "evaluation")
        try:
            samples = {name: list(_samples(name, evals / name, vectors)) for name in SETS}
            examples = [vectors.embed(lines) for _, lines in lexicon.read_blocks(EXAMPLES)]
            vectors.save()
        except files.EvaluationError as error:
            raise CommandError(str(error)) from error
        except StoreError as error:
            raise CommandError(error.message) from error
        model = self._fit(samples.values(), examples, embedder.id)
        self._show(samples, examples, model)
        self._halves(samples, examples, embedder.id)
        fitting.write(model, SOURCES, out)
        self.stdout.write(f"The weights are in {out} and {out.with_suffix('.npz')}")

    def _fit(self, sets: Iterable[Sequence[Sample]], examples: Sequence[Vectors], embedder: str) -> weights.Weights:
        return fitting.fit([sample for each in sets for sample in each], examples[0], examples[1], embedder)

    def _halves(self, samples: Mapping[str, Sequence[Sample]], examples: Sequence[Vectors], embedder: str) -> None:
        """What is reached on one half of each set by weights of the other halves; texts are never in both."""
        for name in samples:
            both_halves = []
            for half in (0, 1):
                fitted = [[each for each in rows if each.half != half] for rows in samples.values()]
                measured = [each for each in samples[name] if each.half == half]
                both_halves.append(fitting.figures(measured, self._fit(fitted, examples, embedder)))
            both = {key: sum(each[key] for each in both_halves) / 2 for key in both_halves[0]}
            self.stdout.write(f"{name}, with weights and threshold of the other half: {_as_text(both)}")

    def _show(
        self, samples: Mapping[str, Sequence[Sample]], examples: Sequence[Vectors], model: weights.Weights
    ) -> None:
        """What is reached on each set, and by weights that were fitted on the two others."""
        for name, rows in samples.items():
            others = self._fit([rows for other, rows in samples.items() if other != name], examples, model.embedder)
            self.stdout.write(f"{name}: {_as_text(fitting.figures(rows, model))}")
            self.stdout.write(
                f"  with the weights and the threshold of the others: {_as_text(fitting.figures(rows, others))}"
            )


def _as_text(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in figures.items())


def _samples(group: str, folder: Path, vectors: StoredVectors) -> Iterator[Sample]:
    data = files.locate(folder, None)
    indexes = {}
    for name, facts in files.facts(data).items():
        texts = all_texts(facts, registry(), name)
        indexes[name] = build_index(facts, registry(), (), dict(zip(texts, vectors.embed(texts), strict=True)), name)
    rows = files.rows(data, files.BackgroundRow)
    for row, vector in zip(rows, vectors.embed([row.q for row in rows]), strict=True):
        name = row.character or next(iter(indexes))
        index = indexes[name]
        yield Sample(
            group,
            row.kind,
            row.q,
            name,
            index,
            signals.of_facts(index, row.q, vector),
            signals.of_facts(index, row.q, None),
            vector,
            np.array([fact.id in row.right for fact in index.facts]),
        )
