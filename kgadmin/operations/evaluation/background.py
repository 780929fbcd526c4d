"""Kind A: which facts of a character answer what is said to her."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from characters.turn.background import background
from characters.turn.fact_index import FactIndex, build_index
from characters.turn.facts import all_texts
from characters.turn.intent import classify
from characters.turn.probe import Probe
from characters.turn.request import Readers, Snapshot
from characters.turn.sheet import Fact, Sheet
from kgadmin.operations.evaluation import files
from kgadmin.operations.evaluation.vectors import KeptVectors
from kgadmin.operations.evaluation.world import asked, empty_readers, registry


@dataclass(frozen=True, slots=True)
class _Character:
    sheet: Sheet
    index: FactIndex


def predict(data: files.Data, vectors: KeptVectors) -> Iterator[Mapping[str, Any]]:
    """Per row the ids of the facts that go into the prompt, best first."""
    rows = files.rows(data, files.BackgroundRow)
    characters = {name: _character(name, facts, vectors) for name, facts in files.facts(data).items()}
    readers = empty_readers(vectors.embed)
    vectors.prepare([row.q for row in rows])
    for row in rows:
        yield {"id": row.id, "ids": _used(row, _of(row, characters), readers)}


def _of(row: files.BackgroundRow, characters: Mapping[str, _Character]) -> _Character:
    if not row.character and len(characters) == 1:
        return next(iter(characters.values()))
    if row.character not in characters:
        raise files.EvaluationError(f"Row {row.id} is for {row.character or 'nobody'}, whom the material doesn't have.")
    return characters[row.character]


def _character(name: str, facts: Sequence[Fact], vectors: KeptVectors) -> _Character:
    sheet = Sheet(name, "", tuple(facts))
    texts = all_texts(facts, registry(), name)
    known = dict(zip(texts, vectors.embed(texts), strict=True))
    return _Character(sheet, build_index(sheet.facts, registry(), (), known, name))


def _used(row: files.BackgroundRow, character: _Character, readers: Readers) -> list[str]:
    request = asked(row.q, sheet=character.sheet)
    vector = readers.embed([row.q])[0]
    intent = classify(request, Probe(), vector, readers.examples())
    found = background(request, lambda _: Snapshot(character.index, "document"), vector, intent)
    return [fact.id for fact in found.used]
