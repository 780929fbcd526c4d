"""Kind A: which facts of a character answer what is said to her."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from characters.domain.facts import all_texts
from characters.domain.sheet import Fact, Sheet
from characters.turn.background import ScoredFact, background
from characters.turn.fact_index import FactIndex, build_index
from characters.turn.intent import classify
from characters.turn.probe import Probe
from characters.turn.request import Readers, Snapshot
from tests.quality import files
from tests.quality.vectors import StoredVectors
from tests.quality.world import asked, empty_readers, registry

LEAST_RIGHT = {"high": "at least 80%", "medium": "at least 50%", "low": "less than 50%"}


@dataclass(frozen=True, slots=True)
class _Character:
    sheet: Sheet
    index: FactIndex


def predict(data: files.Data, vectors: StoredVectors) -> Iterator[Mapping[str, Any]]:
    """Per row the ids of the facts that go into the prompt, best first, and how relevant each is said to be."""
    rows = files.rows(data, files.BackgroundRow)
    characters = {name: _character(name, facts, vectors) for name, facts in files.facts(data).items()}
    readers = empty_readers(vectors.embed)
    vectors.prepare([row.q for row in rows])
    for row in rows:
        used = _used(row, _of(row, characters), readers)
        yield {"id": row.id, "ids": [fact.id for fact in used], "relevance": [fact.relevance for fact in used]}


def calibration(data: files.Data, predictions: Path, _: StoredVectors | None = None) -> Iterator[str]:
    """Per level how many of the facts that were said to be so relevant are right, where the rows are labelled."""
    right = {row.id: row.right for row in files.rows(data, files.BackgroundRow) if row.kind}
    levels: dict[str, list[bool]] = {}
    for line in filter(None, files.lines(predictions)) if right else ():
        result = json.loads(line)
        for fact, level in zip(result["ids"], result["relevance"], strict=True):
            levels.setdefault(level, []).append(fact in right.get(result["id"], ()))
    for level, least in LEAST_RIGHT.items():
        if level in levels:
            share = sum(levels[level]) / len(levels[level])
            yield f"{level}: {len(levels[level])} facts, {share:.0%} right (meant: {least})"


def _of(row: files.BackgroundRow, characters: Mapping[str, _Character]) -> _Character:
    if not row.character and len(characters) == 1:
        return next(iter(characters.values()))
    if row.character not in characters:
        raise files.EvaluationError(f"Row {row.id} is for {row.character or 'nobody'}, whom the material doesn't have.")
    return characters[row.character]


def _character(name: str, facts: Sequence[Fact], vectors: StoredVectors) -> _Character:
    sheet = Sheet(name, "", tuple(facts))
    texts = all_texts(facts, registry(), name)
    known = dict(zip(texts, vectors.embed(texts), strict=True))
    return _Character(sheet, build_index(sheet.facts, registry(), (), known, name))


def _used(row: files.BackgroundRow, character: _Character, readers: Readers) -> Sequence[ScoredFact]:
    request = asked(row.q, sheet=character.sheet)
    vector = readers.embed([row.q])[0]
    intent = classify(request, Probe(), vector, readers.examples())
    result = background(request, lambda _: Snapshot(character.index, "document"), vector, intent)
    return result.used
