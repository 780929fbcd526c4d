"""The sheet as a document: stored, loaded, and checked before it is published."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from characters.domain.sheet import Concept, Fact, LoreEntry, Persona, RuntimeFact, Settings, Sheet
from characters.profiles import documents
from characters.profiles.documents import SheetError
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


def questioned(*questions: str) -> Sheet:
    return replace(sheet(), facts=(Fact("f1", "LIKES", "Fog", questions),))


REFUSED: list[tuple[Sheet, str]] = [
    (sheet(name=" "), "name: it is empty. Write the character's name."),
    (sheet(identity="\n"), "identity: it is empty. Every prompt begins with it."),
    (sheet(name="x" * 101), "name: 101 characters; at most 100 are taken."),
    (sheet(identity="x" * 20_001), "identity: 20001 characters; at most 20000 are taken."),
    (sheet(("LIKES", "x" * 2_001)), f"fact LIKES “{'x' * 40}…”: 2001 characters; at most 2000 are taken."),
    (sheet(("X" * 61, "x")), f"fact {'X' * 60} “x”, predicate: 61 characters; at most 60 are taken."),
    (sheet(("LIKES", " ")), "facts, number 1, LIKES: the object is empty."),
    (sheet(("likes", "x")), "facts, number 1, “x”: 'likes' is no predicate. Use capitals, like HAS_FATHER."),
    (sheet(("LIKES; DROP", "x")), "facts, number 1, “x”: 'LIKES; DROP' is no predicate."),
    (sheet(("", "x")), "facts, number 1, “x”: '' is no predicate."),
    (sheet(("LIKES", "x"), ("LIKES", "x")), "facts: LIKES “x” stands there 2 times."),
    (replace(sheet(), facts=(Fact("f1", "A", "x"), Fact("f1", "A", "y"))), "fact id 'f1' stands there 2 times."),
    (sheet(*((f"P{n}", "x") for n in range(5_001))), "facts: there are 5001; at most 5000 are taken."),
    (sheet(personas=(Persona("a", "A", "x"), Persona("a", "B", "x"))), "persona 'a' stands there 2 times."),
    (sheet(personas=(Persona("a", "A", "x" * 2_001),)), "persona a: 2001 characters; at most 2000 are taken."),
    (
        sheet(personas=(Persona("a", "A", "x", default=True), Persona("b", "B", "x", default=True))),
        "personas: more than one is the default. Keep one.",
    ),
    (
        sheet(lore=tuple(LoreEntry(f"l{i}", "x") for i in range(2_001))),
        "lore: there are 2001 entries; at most 2000",
    ),
    (sheet(lore=(LoreEntry("a", "x"), LoreEntry("a", "y"))), "lore 'a' stands there 2 times"),
    (sheet(lore=(LoreEntry("a", "x", keys=("k",) * 101),)), "lore, number 1: it has more than 100 keys"),
    (sheet(lore=(LoreEntry("a", "x", scan_depth=-1),)), "scan_depth -1 is not between 0 and 1000"),
    (sheet(lore=(LoreEntry("a", "x" * 20_001),)), "lore a: 20001 characters"),
    (sheet(greetings=("x",) * 101), "greetings: there are 101; at most 100 are taken"),
    (sheet(greetings=("x" * 20_001,)), "greeting 1: 20001 characters"),
    (sheet(system_prompt="x" * 20_001), "system_prompt: 20001 characters"),
    (sheet(name="Ann\nHolm"), "name: it holds a line break or another control character. Write it on one line."),
    (sheet(nickname="A\u2028B"), "nickname: it holds a line break"),
    (sheet(nickname="x" * 101), "nickname: 101 characters; at most 100 are taken."),
    (sheet(personas=(Persona("p q", "P", "x"),)), "persona “p q”: “p q” is no slug. Use a-z, 0-9, - and _ only"),
    (sheet(personas=(Persona("", "P", "x"),)), "persona “”: “” is no slug."),
    (sheet(personas=(Persona("p", "P\tQ", "x"),)), "persona “p”, name: it holds a line break"),
    (sheet(personas=(Persona("p", "x" * 101, "x"),)), "persona “p”, name: 101 characters"),
    (sheet(personas=(Persona("p", "P", "x", bases=("no pe",)),)), "persona “p”, base “no pe”: “no pe” is no slug."),
    (sheet(personas=(Persona("p", "P", "x", keywords=("k" * 101,)),)), f"persona “p”, keyword “{'k' * 40}…”: 101"),
    (sheet(personas=(Persona("p", "P", "x", keywords=("k",) * 201),)), "persona “p”, keywords: there are 201;"),
    (sheet(anchors=("a" * 100_000,)), f"anchor “{'a' * 40}…”: 100000 characters; at most 100 are taken."),
    (sheet(anchors=tuple(f"a{n}" for n in range(201))), "anchors: there are 201; at most 200 are taken."),
    (sheet(concepts=(Concept("c" * 101, ()),)), f"concept “{'c' * 40}…”: 101 characters"),
    (sheet(concepts=(Concept("c", ("P" * 61,)),)), f"concept “c”, predicate “{'P' * 40}…”: 61 characters"),
    (sheet(concepts=(Concept("c", ()), Concept("c", ("IS_A",)))), "concept 'c' stands there 2 times."),
    (questioned("x" * 501), f"fact LIKES “Fog”, questions, “{'x' * 40}…”: 501 characters; at most 500 are taken."),
    (questioned(*(f"{n}?" for n in range(101))), "fact LIKES “Fog”, questions: there are 101; at most 100"),
    (
        replace(sheet(), facts=(Fact("f 1", "LIKES", "Fog"),)),
        "fact LIKES “Fog”: “f 1” is no id. Use at most 60 characters",
    ),
    (sheet(lore=(LoreEntry("l" * 61, "x"),)), f"lore “{'l' * 40}…”: “{'l' * 40}…” is no id."),
    (sheet(lore=(LoreEntry("l", "x", "n" * 201),)), "lore “l”, name: 201 characters"),
    (sheet(lore=(LoreEntry("l", "x", keys=("k" * 2_001,)),)), f"lore “l”, key “{'k' * 40}…”: 2001 characters"),
    (sheet(settings=Settings(questions=("a\nb",))), "settings.questions, “a b”: it holds a line break"),
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
    "concepts.0.name": lambda bad: {"concepts": (Concept(bad, ()),)},
    "runtime_facts.0.object": lambda bad: {"runtime_facts": (RuntimeFact("LIKES", bad),)},
}


def test_what_no_engine_can_store_is_refused_wherever_it_stands() -> None:
    for place, parts in UNSTORABLE.items():
        for bad in ("a\0b", "a\ud800b"):
            said = f"{place}: it holds a null byte or half of a character, which no engine can store."
            assert problems(sheet(**parts(bad))) == [said]


def test_a_sheet_beyond_these_limits_that_was_published_before_them_is_still_read() -> None:
    old = sheet(name="Ann\nHolm", personas=(Persona("p q", "P", "x"),), anchors=("a" * 100_000,))
    assert documents.load(documents.dump(old)) == old
