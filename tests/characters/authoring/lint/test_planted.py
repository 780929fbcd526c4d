"""The demo's Elena with some ten planted faults of each kind, twice: how many lint finds, and what else it says.

`shown` were looked at while its rules were made, `kept` were not. What is missed is missed; the floors say how much.
"""

from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from ruamel.yaml import YAML

from characters.authoring.lint import checks, findability, meanings
from characters.authoring.lint.findings import Finding, Kind
from characters.domain.sheet import Fact, Sheet
from characters.profiles import folder
from kgadmin.operations.demo.loader import character_folders
from kgadmin.stores.embedder import LocalEmbedder
from tests.characters.authoring.lint.test_checks import REGISTRY
from tests.characters.authoring.lint.test_meanings import embedded, vectors_of

PLANTED: dict[str, dict[str, list[list[str]]]] = YAML(typ="safe").load(Path(__file__).with_name("planted.yaml"))
KINDS: dict[str, Kind] = {
    "twice": "contradiction",
    "opposite": "contradiction",
    "again": "duplicate",
    "lost": "not findable",
    "identity": "repeated identity",
}
FLOORS = {
    "shown": {"twice": 10, "opposite": 9, "again": 9, "lost": 10, "identity": 10},
    "kept": {"twice": 9, "opposite": 7, "again": 8, "lost": 9, "identity": 8},
}


class Detection(NamedTuple):
    """The numbers of the planted faults that were found, and findings of their kind that are about none."""

    right: set[int]
    wrong: list[str]


def elena() -> Sheet:
    return folder.read_folder(next(path for path in character_folders() if path.name == "elena")).sheet


def planted(kind: str, rows: list[list[str]]) -> Sheet:
    sheet = elena()
    if kind == "identity":
        return replace(sheet, identity=f"{sheet.identity}\n\n{' '.join(sentence for sentence, _ in rows)}")
    facts = (Fact(f"p{number}", row[0], row[1]) for number, row in enumerate(rows))
    return replace(sheet, facts=(*sheet.facts, *facts))


def linted(sheet: Sheet, embedder: LocalEmbedder) -> list[Finding]:
    vectors, tried = vectors_of(embedder, sheet), findability.likely_questions(sheet, REGISTRY)
    return [
        *checks.contradictions(sheet, REGISTRY),
        *checks.repeated_identity(sheet, REGISTRY),
        *meanings.duplicates(sheet.facts, REGISTRY, vectors, sheet.name),
        *findability.not_findable(sheet, REGISTRY, vectors, tried, partial(embedded, embedder)),
    ]


@cache
def before(embedder: LocalEmbedder) -> set[tuple[str, tuple[str, ...]]]:
    """What is found in the sheet as it is."""
    return {(each.kind, each.facts) for each in linted(elena(), embedder)}


def detected(kind: str, rows: list[list[str]], embedder: LocalEmbedder) -> Detection:
    sheet = planted(kind, rows)
    known = before(embedder)
    new = [each for each in linted(sheet, embedder) if (each.kind, each.facts) not in known]
    predicates = {fact.id: fact.predicate for fact in sheet.facts}
    right: set[int] = set()
    wrong: list[str] = []
    for finding in (finding for finding in new if finding.kind == KINDS[kind]):
        meant = {number for number, row in enumerate(rows) if _is_about(finding, number, row, kind, predicates)}
        right |= meant
        wrong += [] if meant else [finding.sentence]
    return Detection(right, wrong)


def _is_about(finding: Finding, number: int, row: list[str], kind: str, predicates: dict[str, Any]) -> bool:
    if kind == "identity":
        return predicates[finding.facts[0]] == row[1] and row[0].rstrip(".") in finding.sentence
    others = [predicates[fact] for fact in finding.facts if fact != f"p{number}"]
    return f"p{number}" in finding.facts and (len(row) == 2 or row[2] in others)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("half", FLOORS)
def test_planted_faults_are_found_and_nothing_else_is_said(half: str, kind: str, embedder: LocalEmbedder) -> None:
    right, wrong = detected(kind, PLANTED[half][kind], embedder)
    assert len(right) >= FLOORS[half][kind]
    assert wrong == []


def test_of_the_demos_characters_hardly_anything_is_said(embedder: LocalEmbedder) -> None:
    findings = [each for path in character_folders() for each in linted(folder.read_folder(path).sheet, embedder)]
    assert {each.kind for each in findings} == {"repeated identity"}
    assert len(findings) <= 7
