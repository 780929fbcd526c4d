"""The sheet as a document: stored, loaded, and checked before it is published."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from characters.domain.sheet import Fact, LoreEntry, Persona, Sheet
from characters.profiles import documents
from characters.profiles.documents import SheetError
from tests.characters.profiles.sheets import sheet, whole_sheet


def problems(checked: Sheet) -> list[str]:
    with pytest.raises(SheetError) as caught:
        documents.check(checked)
    return caught.value.problems


def test_a_stored_document_is_the_same_sheet_again() -> None:
    documents.check(whole_sheet())
    stored = json.loads(json.dumps(documents.dump(whole_sheet())))
    assert documents.load(stored) == whole_sheet()


def test_a_document_that_is_no_sheet_names_each_place() -> None:
    with pytest.raises(SheetError) as caught:
        documents.load({"name": "Ann", "anchors": "light", "facts": [{"id": "f1", "predicate": "A"}], "mood": 1})
    assert caught.value.problems == [
        "identity: it is missing.",
        "facts.0.object: it is missing.",
        "anchors: it must be a list.",
        "mood: it is no key of a sheet.",
    ]


REFUSED: list[tuple[Sheet, str]] = [
    (sheet(identity="\n"), "identity: it is empty. Every prompt begins with it."),
    (sheet(identity="x" * 20_001), "identity: 20001 characters; at most 20000 are taken."),
    (sheet(("LIKES", "x" * 2_001)), f"fact LIKES “{'x' * 40}…”: 2001 characters; at most 2000 are taken."),
    (sheet(("likes", "x")), "facts, number 1, “x”: 'likes' is no predicate. Use capitals, like HAS_FATHER."),
    (sheet(("LIKES", "x"), ("LIKES", "x")), "facts: LIKES “x” stands there 2 times."),
    (replace(sheet(), facts=(Fact("f1", "A", "x"), Fact("f1", "A", "y"))), "fact id 'f1' stands there 2 times."),
    (sheet(*((f"P{n}", "x") for n in range(5_001))), "facts: there are 5,001; at most 5,000 are taken."),
    (sheet(personas=(Persona("a", "A", "x"), Persona("a", "B", "x"))), "persona 'a' stands there 2 times."),
    (
        sheet(lore=tuple(LoreEntry(f"l{i}", "x") for i in range(2_001))),
        "lore: there are 2001 entries; at most 2000",
    ),
    (sheet(lore=(LoreEntry("a", "x"), LoreEntry("a", "y"))), "lore 'a' stands there 2 times"),
    (sheet(name="Ann\nHolm"), "name: it holds a line break or another control character. Write it on one line."),
    (sheet(personas=(Persona("p q", "P", "x"),)), "persona “p q”: “p q” is no slug. Use a-z, 0-9, - and _ only"),
    (sheet(anchors=("a" * 100_000,)), f"anchor “{'a' * 40}…”: 100000 characters; at most 100 are taken."),
]


def test_what_cannot_be_published_is_said() -> None:
    for broken, said in REFUSED:
        found = problems(broken)
        assert [said in problem for problem in found] == [True], (said, found)


UNSTORABLE: dict[str, Callable[[str], dict[str, Any]]] = {
    "name": lambda bad: {"name": bad},
    "identity": lambda bad: {"identity": bad},
    "anchors.1": lambda bad: {"anchors": ("fine", bad)},
    "personas.0.keywords.0": lambda bad: {"personas": (Persona("a", "A", "x", keywords=(bad,)),)},
}


def test_what_no_engine_can_store_is_refused_wherever_it_stands() -> None:
    for place, parts in UNSTORABLE.items():
        for bad in ("a\0b", "a\ud800b"):
            said = f"{place}: it holds a null byte or half of a character, which no engine can store."
            assert problems(sheet(**parts(bad))) == [said]


def test_a_sheet_beyond_these_limits_that_was_published_before_them_is_still_read() -> None:
    old = sheet(name="Ann\nHolm", personas=(Persona("p q", "P", "x"),), anchors=("a" * 100_000,))
    assert documents.load(documents.dump(old)) == old
