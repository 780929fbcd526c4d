from dataclasses import replace

from characters.domain.sheet import (
    BY_AUTHOR,
    BY_FAMILY,
    Concept,
    Fact,
    Predicate,
    Settings,
    Sheet,
    concept_weights,
    concepts_by_family,
)
from tests.characters.turn.world import OSKAR, request


def test_a_stage_is_off_for_one_turn_or_by_the_sheet() -> None:
    silent = replace(OSKAR, settings=Settings(stages_off=("documents",)))
    assert request("Hi", sheet=silent).is_off("documents")
    assert request("Hi", off=frozenset({"documents"})).is_off("documents")
    assert not request("Hi").is_off("documents")


def test_a_predicate_that_no_concept_of_the_author_names_gets_one_by_its_family_which_weighs_less() -> None:
    families = {"PAINTS": "work", "WORKS_AT": "work", "HAS_PET": "home"}
    predicates = {name: Predicate(name, family) for name, family in families.items()}
    facts = tuple(Fact(name, name, "x") for name in (*predicates, "UNHEARD_OF"))
    sheet = Sheet("Ann", "You are Ann.", facts, concepts=(Concept("art", ("PAINTS",)),))
    assert concepts_by_family(sheet, predicates) == (Concept("work", ("WORKS_AT",)), Concept("home", ("HAS_PET",)))
    assert concept_weights(sheet, predicates) == {
        "PAINTS": {"art": BY_AUTHOR},
        "WORKS_AT": {"work": BY_FAMILY},
        "HAS_PET": {"home": BY_FAMILY},
    }
