from characters.domain import concepts
from characters.domain.sheet import Concept, Fact, Predicate, Sheet

REGISTRY = {
    name: Predicate(name, family) for name, family in (("PAINTS", "work"), ("WORKS_AT", "work"), ("HAS_PET", "home"))
}
SHEET = Sheet(
    "Ann",
    "You are Ann.",
    facts=tuple(Fact(name, name, "x") for name in ("PAINTS", "WORKS_AT", "HAS_PET", "UNHEARD_OF")),
    concepts=(Concept("art", ("PAINTS",)),),
)


def test_a_predicate_that_no_concept_names_gets_one_by_its_family() -> None:
    assert concepts.made(SHEET, REGISTRY) == (Concept("work", ("WORKS_AT",)), Concept("home", ("HAS_PET",)))


def test_what_the_author_named_weighs_more_and_stays_alone() -> None:
    assert concepts.of_predicates(SHEET, REGISTRY) == {
        "PAINTS": {"art": concepts.BY_AUTHOR},
        "WORKS_AT": {"work": concepts.BY_FAMILY},
        "HAS_PET": {"home": concepts.BY_FAMILY},
    }
