"""How facts about people are said."""

import pytest

from characters.domain.people import KIN, PERSON_PREDICATES, person_predicate, sentence


@pytest.mark.parametrize(
    ("predicate", "text", "others", "expected"),
    [
        ("HAS_PET", "Luna", {}, "Mark has a pet called Luna"),
        ("HAS_PET", "Luna", {"species": "cat"}, "Mark has a cat called Luna"),
        ("HAS_PET", "Otto", {"species": "otter"}, "Mark has an otter called Otto"),
        ("HAS_PET", "gecko", {}, "Mark has a gecko"),
        ("HAS_PET", "dogs", {}, "Mark has dogs"),
        ("HAS_PET", "cat", {"species": "cat"}, "Mark has a cat"),
        ("OWNS", "boat", {"subject": "father"}, "Mark's father has a boat"),
        ("HAS_BROTHER", "Sol", {"subject": "Luna"}, "Luna's brother is Sol"),
        ("FAVORITE_ICE_CREAM", "pistachio", {}, "Mark's favourite ice cream is pistachio"),
        ("SAILS_WITH", "Walt", {}, "Mark sails with Walt"),
    ],
)
def test_a_fact_is_said_of_whom_it_is_about(predicate: str, text: str, others: dict[str, str], expected: str) -> None:
    assert sentence("Mark", predicate, text, **others) == expected


def test_a_name_that_ends_in_s_has_its_apostrophe_only() -> None:
    assert sentence("Jonas", "LIVES_IN", "Oslo", subject="sister") == "Jonas' sister lives in Oslo"


def test_a_favourite_of_any_kind_has_one_answer() -> None:
    predicate = person_predicate("FAVORITE_ICE_CREAM")
    assert not predicate.many
    assert predicate.questions == ("What is my favourite ice cream?",)


def test_an_unknown_predicate_closes_nothing() -> None:
    predicate = person_predicate("SAILS_WITH")
    assert (predicate.family, predicate.many) == ("other", True)


def test_opposites_are_mutual_and_every_relative_has_a_predicate() -> None:
    for predicate in PERSON_PREDICATES.values():
        if predicate.opposite:
            assert PERSON_PREDICATES[predicate.opposite].opposite == predicate.name
    assert {f"HAS_{kin}" for kin in KIN} <= PERSON_PREDICATES.keys()


def test_what_somebody_says_is_never_expanded_again() -> None:
    text = "{subject} {object}"
    for name in PERSON_PREDICATES:
        assert text in sentence("Mark", name, text), name
