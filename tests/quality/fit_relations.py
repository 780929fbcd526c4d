"""`tests.quality.fit_relations`: fit the guesses of relations and of topic shifts anew, from labelled rows."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from characters.memory.enrichment import cues, learned
from characters.memory.enrichment.learned import Learned, Logistic
from characters.memory.enrichment.traits import Both
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from tests.quality import files, relating
from tests.quality import fitting_relations as fitting
from tests.quality.fitting_relations import Sample
from tests.quality.vectors import KeptVectors

SOURCES = (
    "Fitted by `tests.quality.fit_relations` on the development rows of Molweni (Li et al. 2020; six classes of "
    "replies in Ubuntu's help channel), of MT-Eval and MT-Bench-ext (a person's requests in a row; Follow-up only), "
    "and of TIAGE (Xie et al. 2021; turns to another subject in Persona-Chat). Weights only; the rows are not in this"
    " program."
)


class Command(BaseCommand):
    help = "Writes the weights of characters/memory/enrichment/learned.py as d_relations and d_topicshift say them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("evals", metavar="EVALS", type=Path, help="the folder with both sets")
        parser.add_argument("--out", metavar="FILE", type=Path, default=learned.FILE, help="the weights, written anew")

    def handle(self, *args: Any, evals: Path, out: Path, **options: Any) -> None:
        try:
            kept = KeptVectors(wiring.embedder(), Path(settings.DATA_DIR) / "evaluation")
            related, shifting = _relation_samples(evals, kept), _shift_samples(evals, kept)
            kept.save()
        except files.EvaluationError as error:
            raise CommandError(str(error)) from error
        except StoreError as error:
            raise CommandError(error.message) from error
        shifts, shift_from = self._shifts(shifting)
        model = Learned(fitting.fit_relations(related), shifts, shift_from)
        self._tell_relations(model, related)
        self._tell_shifts(model, shifting)
        _write(out, model)
        self.stdout.write(f"The weights are in {out}")

    def _shifts(self, found: Sequence[Sample]) -> tuple[Logistic, float]:
        """The model, and where a shift begins: best on samples that the model hadn't seen."""
        chances = np.zeros(len(found))
        for left_out in fitting.folds(found, deal=0):
            chances[left_out] = fitting.shift_chances(fitting.fit_shifts(_of(found, ~left_out)), _of(found, left_out))
        return fitting.fit_shifts(found), fitting.best_from(chances.tolist(), [each.label for each in found])

    def _tell_relations(self, model: Learned, found: Sequence[Sample]) -> None:
        def train(seen: Sequence[Sample]) -> Learned:
            return Learned(fitting.fit_relations(seen), model.shifts, model.shift_from)

        unseen = [
            fitting.relation_score(found, _crossed(found, train, fitting.said_of_relations, deal)) for deal in _DEALS
        ]
        fitted = fitting.relation_score(found, fitting.said_of_relations(model, found))
        self.stdout.write(f"relations, macro-F1: {fitted:.3f} fitted, {mean(unseen):.3f} cross-validated")

    def _tell_shifts(self, model: Learned, found: Sequence[Sample]) -> None:
        def train(seen: Sequence[Sample]) -> Learned:
            return Learned(model.relations, *self._shifts(seen))

        unseen = [fitting.f1(found, _crossed(found, train, fitting.said_of_shifts, deal), "shift") for deal in _DEALS]
        fitted = fitting.f1(found, fitting.said_of_shifts(model, found), "shift")
        self.stdout.write(f"topic shift, F1: {fitted:.3f} fitted, {mean(unseen):.3f} cross-validated")


_DEALS = range(fitting.DEALS)


def _crossed(
    found: Sequence[Sample], train: fitting.Train, say: Callable[[Learned, Sequence[Sample]], list[str]], deal: int
) -> list[str]:
    """What is said of each sample by a model that was fitted without its fold."""
    said = np.empty(len(found), dtype=object)
    for left_out in fitting.folds(found, deal):
        said[left_out] = say(train(_of(found, ~left_out)), _of(found, left_out))
    return list(said)


def _of(found: Sequence[Sample], chosen: Any) -> list[Sample]:
    return [each for each, is_chosen in zip(found, chosen, strict=True) if is_chosen]


def _relation_samples(evals: Path, kept: KeptVectors) -> list[Sample]:
    rows = files.rows(files.locate(evals / "d_relations", None), files.PairRow)
    chosen = [row for row in rows if row.corpus in fitting.CORPORA and row.relation in fitting.CLASSES]
    return fitting.relation_samples(chosen, _embedded(chosen, kept))


def _shift_samples(evals: Path, kept: KeptVectors) -> list[Sample]:
    rows = files.rows(files.locate(evals / "d_topicshift", None), files.PairRow)
    return fitting.shift_samples(rows, _embedded(rows, kept))


def _embedded(rows: Sequence[files.PairRow], kept: KeptVectors) -> list[Both]:
    return [cues.both_of(pair) for _, pair in relating.pairs(rows, kept)]


def _write(out: Path, model: Learned) -> None:
    shifts = model.shifts.as_json() | {"from": model.shift_from}
    found = {"sources": SOURCES, "relations": model.relations.as_json(), "shifts": shifts}
    try:
        out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"The weights can't be written to {out}: {error}.") from error
