"""How facts about people are said."""

from characters.domain.people import KIN, PERSON_PREDICATES, person_predicate, sentence


def test_a_pet_is_called_by_its_name_else_by_what_it_is() -> None:
    for text, species, expected in (
        ("Luna", "", "Mark has a pet called Luna"),
        ("Luna", "cat", "Mark has a cat called Luna"),
        ("Otto", "otter", "Mark has an otter called Otto"),
        ("gecko", "", "Mark has a gecko"),
        ("dogs", "", "Mark has dogs"),
        ("cat", "cat", "Mark has a cat"),
    ):
        assert sentence("Mark", "HAS_PET", text, species=species) == expected


def test_a_relative_without_a_name_is_the_persons() -> None:
    assert sentence("Mark", "OWNS", "boat", subject="father") == "Mark's father has a boat"
    assert sentence("Jonas", "LIVES_IN", "Oslo", subject="sister") == "Jonas' sister lives in Oslo"


def test_a_fact_about_somebody_with_a_name_is_theirs() -> None:
    assert sentence("Mark", "HAS_BROTHER", "Sol", subject="Luna") == "Luna's brother is Sol"


def test_a_favourite_of_any_kind_has_one_answer() -> None:
    predicate = person_predicate("FAVORITE_ICE_CREAM")
    assert not predicate.many
    assert predicate.questions == ("What is my favourite ice cream?",)
    assert sentence("Mark", "FAVORITE_ICE_CREAM", "pistachio") == "Mark's favourite ice cream is pistachio"


def test_an_unknown_predicate_is_said_by_its_words_and_closes_nothing() -> None:
    predicate = person_predicate("SAILS_WITH")
    assert (predicate.family, predicate.many) == ("other", True)
    assert sentence("Mark", "SAILS_WITH", "Walt") == "Mark sails with Walt"


def test_opposites_are_mutual_and_every_relative_has_a_predicate() -> None:
    for predicate in PERSON_PREDICATES.values():
        if predicate.opposite:
            assert PERSON_PREDICATES[predicate.opposite].opposite == predicate.name
    assert {f"HAS_{kin}" for kin in KIN} <= PERSON_PREDICATES.keys()


def test_what_somebody_says_is_never_expanded_again() -> None:
    text = "{subject} {object}"
    for name in PERSON_PREDICATES:
        assert text in sentence("Mark", name, text), name
