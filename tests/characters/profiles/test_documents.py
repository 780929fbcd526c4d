"""The sheet as a document: stored, loaded, and checked before it is published."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from characters.profiles import documents
from characters.profiles.documents import SheetError
from characters.turn.sheet import Concept, Fact, Persona, RuntimeFact, Sheet
from tests.characters.profiles.sheets import sheet, whole_sheet


def problems(checked: Sheet) -> list[str]:
    with pytest.raises(SheetError) as caught:
        documents.check(checked)
    return caught.value.problems


def test_a_stored_document_is_the_same_sheet_again() -> None:
    stored = json.loads(json.dumps(documents.dump(whole_sheet())))
    assert documents.load(stored) == whole_sheet()


def test_a_whole_sheet_has_no_problem() -> None:
    documents.check(whole_sheet())


def test_a_document_that_is_no_sheet_names_each_place() -> None:
    with pytest.raises(SheetError) as caught:
        documents.load({"name": "Ann", "anchors": "light", "facts": [{"id": "f1", "predicate": "A"}], "mood": 1})
    assert caught.value.problems == [
        "identity: it is missing.",
        "facts.0.object: it is missing.",
        "anchors: it must be a list.",
        "mood: it is no key of a sheet.",
    ]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (sheet(name=" "), "name: it is empty. Write who she is."),
        (sheet(identity="\n"), "identity: it is empty. Every prompt begins with it."),
        (sheet(name="x" * 101), "name: 101 characters; at most 100 are taken."),
        (sheet(identity="x" * 20_001), "identity: 20001 characters; at most 20000 are taken."),
        (sheet(("LIKES", "x" * 2_001)), "fact f1: 2001 characters; at most 2000 are taken."),
        (sheet(("X" * 61, "x")), "predicate of fact f1: 61 characters; at most 60 are taken."),
        (sheet(("LIKES", " ")), "facts, number 1 (LIKES): the object is empty."),
        (sheet(("likes", "x")), "facts, number 1: 'likes' is no predicate. Use capitals, like HAS_FATHER."),
        (sheet(("LIKES; DROP", "x")), "facts, number 1: 'LIKES; DROP' is no predicate."),
        (sheet(("", "x")), "facts, number 1: '' is no predicate."),
        (sheet(("LIKES", "x"), ("LIKES", "x")), "facts: LIKES 'x' stands there 2 times."),
        (replace(sheet(), facts=(Fact("f1", "A", "x"), Fact("f1", "A", "y"))), "fact id 'f1' stands there 2 times."),
        (sheet(*((f"P{n}", "x") for n in range(5_001))), "facts: there are 5001; at most 5000 are taken."),
        (sheet(personas=(Persona("a", "A", "x"), Persona("a", "B", "x"))), "persona 'a' stands there 2 times."),
        (sheet(personas=(Persona("a", "A", "x" * 2_001),)), "persona a: 2001 characters; at most 2000 are taken."),
        (
            sheet(personas=(Persona("a", "A", "x", default=True), Persona("b", "B", "x", default=True))),
            "personas: more than one is the default. Keep one.",
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_what_cannot_be_published_is_said(broken: Sheet, said: str) -> None:
    assert [problem for problem in problems(broken) if problem.startswith(said)]


@pytest.mark.parametrize("bad", ["a\0b", "a\ud800b"], ids=["null byte", "half of a character"])
@pytest.mark.parametrize(
    ("place", "parts"),
    [
        ("name", lambda bad: {"name": bad}),
        ("identity", lambda bad: {"identity": bad}),
        ("anchors.1", lambda bad: {"anchors": ("fine", bad)}),
        ("personas.0.keywords.0", lambda bad: {"personas": (Persona("a", "A", "x", keywords=(bad,)),)}),
        ("concepts.0.name", lambda bad: {"concepts": (Concept(bad, ()),)}),
        ("runtime_facts.0.object", lambda bad: {"runtime_facts": (RuntimeFact("LIKES", bad),)}),
    ],
)
def test_what_no_engine_can_store_is_refused_wherever_it_stands(
    place: str, parts: Callable[[str], dict[str, Any]], bad: str
) -> None:
    said = f"{place}: it holds a null byte or half of a character, which no engine can store."
    assert problems(sheet(**parts(bad))) == [said]
