"""The shipped sheets and predicates fit each other. That they can be published is seen where they are loaded."""

import json
from functools import cache

from characters.domain.sheet import Sheet
from characters.profiles.folder import read_folder
from kgadmin.config import ROOT
from kgadmin.operations.demo import loader

CHARACTERS = [folder.name for folder in loader.character_folders()]
BASES = loader.base_folders()


@cache
def sheet_of(slug: str) -> Sheet:
    return read_folder(loader.HERE / "characters" / slug).sheet


@cache
def registered() -> dict[str, dict[str, object]]:
    rows = json.loads((ROOT / "characters" / "profiles" / "predicates.json").read_text())
    return {row["name"]: row for row in rows}


def test_a_shipped_sheet_uses_registered_predicates_and_shipped_bases() -> None:
    slugs = {base.name for base in BASES}
    for slug in CHARACTERS:
        sheet = sheet_of(slug)
        names = [fact.predicate for fact in sheet.facts]
        assert set(names) <= registered().keys(), slug
        assert {base for persona in sheet.personas for base in persona.bases} <= slugs, slug
        assert all(set(concept.predicates) <= set(names) for concept in sheet.concepts), slug
        twice = {name for name in names if names.count(name) > 1}
        assert [name for name in twice if not registered()[name]["many"]] == [], slug


def test_only_tastes_and_opinions_may_be_learned_and_every_predicate_has_a_question_and_a_sentence() -> None:
    rows = registered().values()

    assert {row["family"] for row in rows if row["learnable"]} == {"taste", "opinion"}
    assert len(rows) >= 60
    assert all(row["question"] and row["sentence"] for row in rows)
