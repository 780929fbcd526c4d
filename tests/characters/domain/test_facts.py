from hypothesis import given
from hypothesis import strategies as st

from characters.domain.facts import NOTE, all_texts, predicate_words, questions, sentence, texts
from characters.domain.sheet import Concept, Fact, Predicate
from characters.turn.fact_index import build_index
from tests.characters.turn.world import OSKAR, REGISTRY, embed, index


def said(predicate: str, text: str) -> str:
    return sentence(Fact("f", predicate, text), REGISTRY.get(predicate))


SAID: dict[str, tuple[tuple[str, str, str], ...]] = {
    "an object that begins with a verb follows its subject": (
        ("HAS_MOTHER", "Sings alto in two choirs", "My mother sings alto in two choirs."),
        ("HAS_FATHER", "Taught every child in the valley", "My father taught every child in the valley."),
        ("HAS_GRANDMOTHER", "Could whistle through a keyhole", "My grandmother could whistle through a keyhole."),
        ("HAS_AUNT", "Died young", "My aunt died young."),
        ("HAS_MOTHER", "Still teaches the piano", "My mother still teaches the piano."),
        ("HAS_MOTHER", "Quietly runs the parish", "My mother quietly runs the parish."),
        ("HAS_FATHER", "Retired from the navy", "My father is retired from the navy."),
        ("HAS_BROTHER", "Will runs the ferry", "My brother Will runs the ferry."),
        ("HAS_MOTHER", "Ran a bakery.", "My mother ran a bakery."),
    ),
    "a noun gets its verb and article": (
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
    ),
    "how somebody is takes no article": (
        ("HAS_FATHER", "dead", "My father is dead."),
        ("HAS_FATHER", "Unknown", "My father is unknown."),
        ("HAS_FATHER", "alive and well", "My father is alive and well."),
        ("HAS_FATHER", "in prison", "My father is in prison."),
        ("HAS_FATHER", "From Crete", "My father is from Crete."),
    ),
    "a name keeps its capital and gets no article": (
        ("HAS_SIBLING", "Thomas", "My sibling is Thomas."),
        ("HAS_SIBLING", "Mark, three years older", "My sibling is Mark, three years older."),
        ("HAS_SIBLING", "Jean-Luc, a diver", "My sibling is Jean-Luc, a diver."),
        ("HAS_SIBLING", "Rose Tyler", "My sibling is Rose Tyler."),
    ),
    "inside a sentence only what is no name loses its capital": (
        ("HAS_NAME", "Rose", "My name is Rose."),
        ("LIVES_IN", "Bath, above a chemist's", "I live in Bath, above a chemist's."),
        ("GREW_UP_IN", "New York", "I grew up in New York."),
        ("LIKES", "Night dives", "I like night dives."),
        ("FAVORITE_BOOK", "The Dark Is Rising", "My favorite book: The Dark Is Rising."),
        ("SPEAKS", "German and Dutch", "I speak German and Dutch."),
        ("HAS_MENTOR", "UNESCO envoy", "My mentor: UNESCO envoy."),
    ),
    "what somebody is gets the article that is spoken": (
        ("IS_A", "Blacksmith", "I am a blacksmith."),
        ("IS_A", "apprentice lamplighter", "I am an apprentice lamplighter."),
        ("IS_A", "an old goat", "I am an old goat."),
        ("IS_A", "the night porter", "I am the night porter."),
        ("IS_A", "Texan", "I am a Texan."),
        ("IS_A", "Self-taught mechanic", "I am a self-taught mechanic."),
        ("IS_A", "hourly worker", "I am an hourly worker."),
        ("IS_A", "unicorn", "I am a unicorn."),
        ("IS_A", "unimportant clerk", "I am an unimportant clerk."),
        ("IS_A", "8th-generation cooper", "I am an 8th-generation cooper."),
    ),
    "several people are spoken of in the plural": (
        ("HAS_ANCESTORS", "Sailors from Crete", "My ancestors are sailors from Crete."),
        ("HAS_ANCESTORS", "Norwegian sailors", "My ancestors are Norwegian sailors."),
        ("HAS_ANCESTORS", "Fished the coast for cod", "My ancestors fished the coast for cod."),
    ),
    "a note is its own sentence word for word": (
        (NOTE, "Nobody calls me before noon", "Nobody calls me before noon."),
        (NOTE, "Whose hat is that?", "Whose hat is that?"),
    ),
    "what nobody registered is said in words, and braces stay": (
        ("OWES_MONEY_TO", "the baker", "My owes money to: the baker."),
        ("LIKES", "{object} and {a object}", "I like {object} and {a object}."),
    ),
}


def test_a_fact_is_said_as_she_would_say_it() -> None:
    for promise, cases in SAID.items():
        for predicate, text, expected in cases:
            assert said(predicate, text) == expected, promise


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
