import pytest
from hypothesis import given
from hypothesis import strategies as st

from characters.domain.facts import NOTE, all_texts, predicate_words, questions, sentence, texts
from characters.domain.sheet import Concept, Fact, Predicate
from characters.turn.fact_index import build_index
from tests.characters.turn.world import OSKAR, REGISTRY, embed, index


def said(predicate: str, text: str) -> str:
    return sentence(Fact("f", predicate, text), REGISTRY.get(predicate))


@pytest.mark.parametrize(
    ("predicate", "text", "expected"),
    [
        ("HAS_MOTHER", "Sings alto in two choirs", "My mother sings alto in two choirs."),
        ("HAS_FATHER", "Taught every child in the valley", "My father taught every child in the valley."),
        ("HAS_GRANDMOTHER", "Could whistle through a keyhole", "My grandmother could whistle through a keyhole."),
        ("HAS_AUNT", "Died young", "My aunt died young."),
        ("HAS_MOTHER", "Still teaches the piano", "My mother still teaches the piano."),
        ("HAS_MOTHER", "Quietly runs the parish", "My mother quietly runs the parish."),
        ("HAS_FATHER", "Retired from the navy", "My father is retired from the navy."),
        ("HAS_BROTHER", "Will runs the ferry", "My brother Will runs the ferry."),
    ],
)
def test_an_object_that_begins_with_a_verb_follows_its_subject(predicate: str, text: str, expected: str) -> None:
    assert said(predicate, text) == expected


@pytest.mark.parametrize(
    ("predicate", "text", "expected"),
    [
        ("HAS_FATHER", "Clockmaker who repaired bells", "My father is a clockmaker who repaired bells."),
        ("HAS_FATHER", "Nurse", "My father is a nurse."),
        ("HAS_FATHER", "Retired teacher", "My father is a retired teacher."),
        ("HAS_MOTHER", "Old sailor", "My mother is an old sailor."),
        ("HAS_MOTHER", "University professor", "My mother is a university professor."),
        ("HAS_MOTHER", "Honest thief", "My mother is an honest thief."),
        ("HAS_AUNT", "Bus driver", "My aunt is a bus driver."),
        ("HAS_COUSIN", "Boss of the depot", "My cousin is a boss of the depot."),
        ("HAS_UNCLE", "Red-haired baker", "My uncle is a red-haired baker."),
        ("HAS_UNCLE", "Norwegian sailor", "My uncle is a Norwegian sailor."),
        ("HAS_UNCLE", "The mayor of Torvik", "My uncle is the mayor of Torvik."),
        ("HAS_SIBLING", "two brothers in Canada", "My sibling is two brothers in Canada."),
        ("HAS_FATHER", "16th-generation potter", "My father is a 16th-generation potter."),
    ],
)
def test_a_noun_gets_its_verb_and_article(predicate: str, text: str, expected: str) -> None:
    assert said(predicate, text) == expected


@pytest.mark.parametrize("state", ["dead", "Unknown", "alive and well", "in prison", "From Crete", "Retired"])
def test_how_somebody_is_takes_no_article(state: str) -> None:
    assert said("HAS_FATHER", state) == f"My father is {state[0].lower()}{state[1:]}."


@pytest.mark.parametrize("name", ["Thomas", "Rose", "Mark, three years older", "Jean-Luc, a diver", "Rose Tyler"])
def test_a_name_keeps_its_capital_and_gets_no_article(name: str) -> None:
    assert said("HAS_SIBLING", name) == f"My sibling is {name}."


@pytest.mark.parametrize(
    ("predicate", "text", "expected"),
    [
        ("HAS_NAME", "Rose", "My name is Rose."),
        ("LIVES_IN", "Bath", "I live in Bath."),
        ("LIVES_IN", "Bath, above a chemist's", "I live in Bath, above a chemist's."),
        ("GREW_UP_IN", "New York", "I grew up in New York."),
        ("LIKES", "Night dives", "I like night dives."),
        ("FAVORITE_BOOK", "The Dark Is Rising", "My favorite book: The Dark Is Rising."),
        ("SPEAKS", "German and Dutch", "I speak German and Dutch."),
        ("HAS_MENTOR", "UNESCO envoy", "My mentor: UNESCO envoy."),
    ],
)
def test_inside_a_sentence_only_what_is_no_name_loses_its_capital(predicate: str, text: str, expected: str) -> None:
    assert said(predicate, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Blacksmith", "I am a blacksmith."),
        ("apprentice lamplighter", "I am an apprentice lamplighter."),
        ("an old goat", "I am an old goat."),
        ("the night porter", "I am the night porter."),
        ("Texan", "I am a Texan."),
        ("Self-taught mechanic", "I am a self-taught mechanic."),
        ("hourly worker", "I am an hourly worker."),
        ("unicorn", "I am a unicorn."),
        ("unimportant clerk", "I am an unimportant clerk."),
        ("8th-generation cooper", "I am an 8th-generation cooper."),
    ],
)
def test_what_somebody_is_gets_the_article_that_is_spoken(text: str, expected: str) -> None:
    assert said("IS_A", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sailors from Crete", "My ancestors are sailors from Crete."),
        ("Norwegian sailors", "My ancestors are Norwegian sailors."),
        ("Fished the coast for salt and cod", "My ancestors fished the coast for salt and cod."),
    ],
)
def test_several_people_are_spoken_of_in_the_plural(text: str, expected: str) -> None:
    assert said("HAS_ANCESTORS", text) == expected


def test_a_note_is_its_own_sentence_word_for_word() -> None:
    assert said(NOTE, "Nobody calls me before noon") == "Nobody calls me before noon."
    assert said(NOTE, "Whose hat is that?") == "Whose hat is that?"


def test_an_unknown_predicate_is_said_in_words_and_never_as_a_label() -> None:
    assert said("OWES_MONEY_TO", "the baker") == "My owes money to: the baker."


def test_a_sentence_that_ends_is_not_ended_again() -> None:
    assert said("HAS_MOTHER", "Ran a bakery.") == "My mother ran a bakery."


def test_braces_in_an_object_stay_as_they_are() -> None:
    assert said("LIKES", "{object} and {a object}") == "I like {object} and {a object}."


@given(st.sampled_from([*REGISTRY, "UNHEARD_OF"]), st.text(min_size=1, max_size=60))
def test_every_text_becomes_a_sentence_that_keeps_its_words(predicate: str, text: str) -> None:
    sentence_ = said(predicate, text)
    assert text.strip()[1:] in sentence_
    assert predicate not in sentence_ or predicate in text


def test_predicates_read_as_words() -> None:
    assert [predicate_words(name) for name in ("HAS_FATHER", "GREW_UP_IN", "IS_A")] == ["father", "grew up in", "a"]


def test_a_fact_is_found_by_the_questions_of_its_predicate_its_topics_and_its_family() -> None:
    aunt = Fact("f", "HAS_AUNT", "Bus driver")
    asked = questions(aunt, REGISTRY["HAS_AUNT"])
    assert asked[0] == REGISTRY["HAS_AUNT"].question
    assert "Do you have any cousins?" in asked
    assert "How is your family?" in texts(aunt, REGISTRY["HAS_AUNT"]).general


def test_questions_of_the_author_stand_beside_those_that_were_made() -> None:
    asked = questions(
        Fact("f", "HAS_AUNT", "Bus driver", questions=("Who drove you to school?",)), REGISTRY["HAS_AUNT"]
    )
    assert asked[:2] == ("Who drove you to school?", REGISTRY["HAS_AUNT"].question)
    assert questions(Fact("f", NOTE, "I drove a bus", questions=("Can you drive?",)), None) == ("Can you drive?",)


def test_a_predicate_without_a_question_gets_two() -> None:
    made = ("What is your shoe size?", "Do you have a shoe size?")
    assert questions(Fact("f", "SHOE_SIZE", "44"), None) == made
    assert questions(Fact("f", "SHOE_SIZE", "44"), Predicate("SHOE_SIZE")) == made


def test_a_plain_sentence_in_the_third_person_is_compared_as_she_would_say_it() -> None:
    note = Fact("f", NOTE, "Ada's boat sank before Ada could swim")
    assert texts(note, None, "Ada Moe").sentence == "my boat sank before I could swim."
    assert texts(note, None, "Oskar").sentence == "Ada's boat sank before Ada could swim."
    assert sentence(note, None) == "Ada's boat sank before Ada could swim."


def test_a_text_of_many_facts_is_embedded_once() -> None:
    found = all_texts(OSKAR.facts, REGISTRY)
    assert len(found) == len(set(found))
    assert "How is your family?" in found


def test_an_index_says_how_many_facts_have_no_vectors() -> None:
    assert index(OSKAR).missing == 0
    assert index(OSKAR, without=["father", "fear"]).missing == 2


def test_an_index_of_nothing_is_empty_and_one_without_any_vector_still_works() -> None:
    assert build_index((), REGISTRY, (), {}).facts == ()
    bare = build_index(OSKAR.facts, REGISTRY, (), {})
    assert bare.missing == len(OSKAR.facts)
    assert bare.with_stem.keys() == index(OSKAR).with_stem.keys()


def test_a_concept_of_the_sheet_brings_its_predicates_the_words_of_the_same_family() -> None:
    facts = (Fact("song", "SINGS_IN", "a choir"),)
    found = all_texts(facts, REGISTRY)
    vectors = dict(zip(found, embed(found), strict=True))
    assert not build_index(facts, REGISTRY, (), vectors).members
    within = build_index(facts, REGISTRY, (Concept("career", ("SINGS_IN",)),), vectors)
    assert {"career", "job", "work"} <= within.members.keys()
