"""How much is read of what a careful reader would, and how much of what is read is right (tests/data)."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from characters.domain.people import KIN
from characters.language.extraction import patterns
from kgadmin.config import ROOT
from tests.quality import stated


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (ROOT / "tests/data" / name).read_text().splitlines()]


ROWS = _rows("user_facts.jsonl")
SPLITS = sorted({row["split"] for row in ROWS})
PRECISION, RECALL, TRAPPED = 0.95, 0.70, 4
OF_STRANGERS, FALSE = 0.60, 0.02

Fact = tuple[str, str, str, bool]
_KIN = {word: words[0] for words in KIN.values() for word in words}
_LEADS = re.compile(r"^(?:an?|the|my|our|some|to) ")


@dataclass
class Score:
    """Right, wrong and missed facts; `trapped` counts the traps with a wrong one by kind."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    trapped: Counter[str] = field(default_factory=Counter)

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
        read = {fact(one.subject, one.predicate, one.object, one.ends) for one in patterns.extract(row["text"])}
        wrong = read - wanted - taken_as_well
        total.right += len(read & wanted)
        total.wrong += len(wrong)
        total.missed += len(wanted - read)
        if row["trap"] and wrong:
            total.trapped[row["trap"]] += 1
    return total


def facts(rows: Sequence[Sequence[str]]) -> set[Fact]:
    return {fact(row[0], row[1], row[2], len(row) > 3) for row in rows}


def fact(subject: str, predicate: str, about: str, ends: bool) -> Fact:
    return _plain(subject), predicate, _LEADS.sub("", _plain(about)), ends


def _plain(text: str) -> str:
    plain = " ".join(text.replace("’", "'").lower().split()).rstrip(".,;:!? ")
    return _KIN.get(plain, plain)


def test_the_set_is_large_and_half_of_it_are_traps() -> None:
    traps = sum(bool(row["trap"]) for row in ROWS)
    assert len(ROWS) >= 300
    assert traps >= 0.45 * len(ROWS)
    assert len({row["text"] for row in ROWS}) == len(ROWS)
    assert not [row for row in ROWS if row["trap"] and row["facts"]]


@pytest.mark.parametrize("split", [*SPLITS, "all"])
def test_what_is_read_is_right_and_most_of_it_is_read(split: str) -> None:
    total = score(row for row in ROWS if split in {row["split"], "all"})
    print(f"{split}: {total}")
    assert total.precision >= PRECISION, total
    assert total.recall >= RECALL, total
    assert total.trapped.total() <= TRAPPED, total


def test_most_of_what_strangers_state_is_read_and_nothing_where_they_state_nothing() -> None:
    outcomes = [stated.outcome_of(stated.StatedRow(**row)) for row in _rows("chat_facts.jsonl")]
    right = [is_right for states, is_right, _ in outcomes if states]
    silent = [false > 0 for states, _, false in outcomes if states is False]
    assert len(right) == len(silent) == 400
    assert sum(right) >= OF_STRANGERS * len(right), f"{sum(right)} of {len(right)}"
    assert sum(silent) <= FALSE * len(silent), f"{sum(silent)} of {len(silent)}"


def test_nothing_is_read_from_other_languages() -> None:
    assert {row["text"]: read for row in _rows("chat_foreign.jsonl") if (read := patterns.extract(row["text"]))} == {}


def test_what_was_said_is_pointed_at_within_the_message() -> None:
    for row in ROWS:
        plain = row["text"].replace("’", "'").lower()
        for statement in patterns.extract(row["text"]):
            assert 0 <= statement.start < statement.end <= len(plain), (row["text"], statement)
            if statement.predicate != "IS_A":  # "dogs" make a "dog"
                assert statement.object.lower() in plain[statement.start : statement.end], (row["text"], statement)


def test_what_is_measured_is_told_apart() -> None:
    rows: list[dict[str, Any]] = [
        {"text": "I live in Oslo.", "trap": "", "facts": [["", "LIVES_IN", "Oslo"]]},
        {"text": "I live in Oslo.", "trap": "idiom", "facts": []},
        {"text": "I live in Oslo.", "trap": "", "facts": [["", "FROM", "Bergen"]], "also": [["", "LIVES_IN", "oslo."]]},
        {"text": "I don't live in Oslo.", "trap": "", "facts": [["", "LIVES_IN", "Oslo"]]},
    ]
    total = score(rows)
    assert (total.right, total.wrong, total.missed) == (1, 1, 2)
    assert total.trapped == {"idiom": 1}


def test_a_right_fact_has_the_readers_last_word_and_a_false_one_is_nobodys() -> None:
    canoe = stated.fact(["", "OWNS", "red canoe", False])
    for read, is_same in (
        (["", "OWNS", "a Canoe", False], True),
        (["", "OWNS", "old red canoe"], True),
        (["", "OWNS", "red"], False),
        (["", "OWNS", "canoe", True], False),
        (["Tom", "OWNS", "canoe"], False),
        (["", "DRIVES", "canoe"], False),
    ):
        assert stated.is_same(stated.fact(read), canoe) is is_same, read
    likes = stated.fact(["", "LIKES", "canoes"])
    assert stated.outcome([canoe, likes], [[canoe], [canoe]]) == (True, True, 1)
    assert stated.outcome([likes], [[], []], [likes]) == (False, False, 0)
    assert stated.outcome([likes], [[likes], []]) == (None, True, 0)
