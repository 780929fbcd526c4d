"""How much the patterns find of what a careful reader would, and how much of what they find is right (tests/data)."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from characters import profiles
from characters.language.suggestions import patterns
from characters.language.suggestions.patterns import StatedFact
from kgadmin.config import ROOT

ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in (ROOT / "tests/data/suggested_facts.jsonl").read_text().splitlines()
]
PREDICATES = [row["name"] for row in json.loads((Path(profiles.__file__).parent / "predicates.json").read_text())]
PRECISION, RECALL = 0.9, 0.4

Wanted = tuple[frozenset[str], frozenset[str]]
_LEADS = re.compile(r"^(?:an?|the|my|your|his|her|their|some|to) ")


@dataclass
class Score:
    """Right, wrong and missed facts; `trapped` counts the traps with a wrong one by kind."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    trapped: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)

    def __str__(self) -> str:
        trapped = ", ".join(f"{count} {kind}" for kind, count in self.trapped.items()) or "none"
        return (
            f"precision {self.precision:.3f}, recall {self.recall:.3f} "
            f"({self.right} right, {self.wrong} wrong, {self.missed} missed; traps with a wrong fact: {trapped})"
        )


def score(rows: Iterable[dict[str, Any]]) -> Score:
    """As tests/data/README.md says."""
    total = Score()
    for row in rows:
        wanted, taken_as_well = facts(row["facts"]), facts(row.get("also", []))
        readings = [(each.predicate, _plain(each.object)) for each in read(row)]
        right = [each for each in wanted if any(_is(fact, each) for fact in readings)]
        wrong = [fact for fact in readings if not any(_is(fact, each) for each in [*wanted, *taken_as_well])]
        total.right += len(right)
        total.wrong += len(wrong)
        total.missed += len(wanted) - len(right)
        total.trapped[row["trap"]] += bool(row["trap"] and wrong)
        if wrong or len(right) < len(wanted):
            total.notes.append(f"{row['text']!r}: found {readings}, wanted {row['facts']}")
    total.trapped = +total.trapped
    return total


def read(row: dict[str, Any]) -> list[StatedFact]:
    return patterns.extract(row["text"], names=[row["name"]], registered=PREDICATES)


def facts(rows: Iterable[list[list[str]]]) -> list[Wanted]:
    return [(frozenset(predicates), frozenset(map(_plain, objects))) for predicates, objects in rows]


def _is(fact: tuple[str, str], wanted: Wanted) -> bool:
    return fact[0] in wanted[0] and fact[1] in wanted[1]


def _plain(text: str) -> str:
    plain = " ".join(text.replace("’", "'").lower().split()).rstrip(".,;:!? ")
    return re.sub(r"\b(?:your|his|her|their)\b", "my", _LEADS.sub("", plain))


def test_the_set_is_large_and_half_of_it_are_traps() -> None:
    for split, size in (("dev", 200), ("held", 100)):
        rows = [row for row in ROWS if row["split"] == split]
        assert len(rows) >= size
        assert sum(bool(row["trap"]) for row in rows) >= 0.45 * len(rows)
    assert len({(row["name"], row["text"]) for row in ROWS}) == len(ROWS)
    assert not [row for row in ROWS if row["trap"] and row["facts"]]


@pytest.mark.parametrize("split", ["dev", "held"])
def test_what_patterns_find_is_right_and_enough_of_it_is_found(split: str) -> None:
    total = score(row for row in ROWS if row["split"] == split)
    print(f"{split}: {total}", *total.notes, sep="\n")
    assert total.precision >= PRECISION, total
    assert total.recall >= RECALL, total
