"""The sheet as a document: stored, loaded, and checked before it is published."""

import json
from dataclasses import replace

import pytest

from characters.domain.sheet import AmbientSettings, Fact, LoreEntry, Persona, Settings, Sheet
from characters.profiles import documents
from characters.profiles.documents import SheetError
from characters.profiles.folder import BACKGROUND_FILE, texts_of
from tests.characters.profiles.sheets import sheet, whole_sheet


def problems(checked: Sheet) -> list[str]:
    with pytest.raises(SheetError) as caught:
        documents.check(checked)
    return caught.value.problems


def test_a_stored_document_is_the_same_sheet_again() -> None:
    documents.check(whole_sheet())
    stored = json.loads(json.dumps(documents.dump(whole_sheet())))
    assert documents.load(stored) == whole_sheet()


def test_a_persona_that_names_no_model_is_stored_and_exported_as_before_there_were_any() -> None:
    day, night = documents.dump(whole_sheet())["personas"]
    assert list(day) == ["slug", "name", "instructions", "bases", "keywords", "default"]
    assert night["temperature"] == 0
    yaml = texts_of(replace(whole_sheet(), personas=whole_sheet().personas[:1]))[BACKGROUND_FILE]
    assert not any(key in yaml for key in documents.OPTIONAL)


def test_a_document_that_is_no_sheet_names_each_place() -> None:
    with pytest.raises(SheetError) as caught:
        documents.load({"name": "Ann", "anchors": "light", "facts": [{"id": "f1", "predicate": "A"}], "mood": 1})
    assert caught.value.problems == [
        "identity: it is missing.",
        "facts.0.object: it is missing.",
        "anchors: it must be a list.",
        "mood: it isn't a key of a sheet.",
    ]


REFUSED: list[tuple[Sheet, str]] = [
    (sheet(name=" \u200b"), "name: it is empty. Write the character's name."),
    (sheet(identity="\n"), "identity: it is empty."),
    (sheet(identity="x" * 20_001), "identity: 20001 characters; at most 20000 are allowed."),
    (sheet(("LIKES", "x" * 2_001)), f"fact LIKES “{'x' * 40}…”, object: 2001 characters; at most 2000 are allowed."),
    (sheet(("likes", "x")), "fact likes “x”, predicate: “likes” isn't a predicate. Use capitals, like HAS_FATHER."),
    (sheet(("LIKES", "x"), ("LIKES", "x")), "fact “LIKES x” stands there 2 times."),
    (replace(sheet(), facts=(Fact("f1", "A", "x"), Fact("f1", "A", "y"))), "fact id “f1” stands there 2 times."),
    (replace(sheet(), facts=(Fact("f1", "A", "x", ("Q" * 501,)),)), "fact A “x”, questions, number 1: 501 characters;"),
    (sheet(*((f"P{n}", "x") for n in range(5_001))), "facts: there are 5,001; at most 5,000 are allowed."),
    (sheet(personas=(Persona("a", "A", "x"), Persona("a", "B", "x"))), "persona “a” stands there 2 times."),
    (
        sheet(personas=(Persona("p q", "P", "x"),)),
        "persona “p q”, slug: “p q” isn't a slug. Use a-z, 0-9, - and _ only",
    ),
    (sheet(personas=tuple(Persona(slug, "P", "x", default=True) for slug in "ab")), "personas: only one can be the"),
    (sheet(personas=(Persona("p", "P", "x", model="m" * 201),)), "persona “p”, model: 201 characters; at most 200"),
    (sheet(personas=(Persona("p", "P", "x", temperature=2.5),)), "temperature: 2.5 is too high: it is at most 2."),
    (sheet(personas=(Persona("p", "P", "x", top_p=0.0),)), "persona “p”, top_p: 0.0 is too low: it must be above 0."),
    (
        sheet(personas=(Persona("p", "P", "x", max_tokens=0),)),
        "persona “p”, max_tokens: 0 is too low: it is at least",
    ),
    (sheet(lore=tuple(LoreEntry(f"l{i}", "x") for i in range(2_001))), "lore: there are 2,001; at most 2,000"),
    (sheet(lore=(LoreEntry("a", "x"), LoreEntry("a", "y"))), "lore “a” stands there 2 times"),
    (sheet(lore=(LoreEntry("a", "x", probability=101),)), "lore “a”, probability: 101 is too high: it is at most 100"),
    (sheet(name="Ann\nHolm"), "name: it contains a line break or another control character. Write it on one line."),
    (sheet(anchors=("a" * 100_000,)), "anchors, number 1: 100000 characters; at most 100 are allowed."),
    (sheet(settings=Settings(stages_off=("prompt",))), "settings.stages_off: prompt can't be switched off."),
    (
        sheet(settings=Settings(ambient=AmbientSettings(families={"taste": -1}))),
        "settings, ambient, families, taste: -1 is too low: it is at least 0.",
    ),
]


def test_what_cannot_be_published_is_said() -> None:
    for broken, expected in REFUSED:
        listed = problems(broken)
        assert [expected in problem for problem in listed] == [True], (expected, listed)


def test_a_sheet_beyond_these_limits_that_was_published_before_them_is_still_read() -> None:
    old = sheet(name="Ann\nHolm", personas=(Persona("p q", "P", "x"),), anchors=("a" * 100_000,))
    assert documents.load(documents.dump(old)) == old
