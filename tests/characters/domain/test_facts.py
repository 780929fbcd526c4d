from hypothesis import given
from hypothesis import strategies as st

from characters.domain import topics
from characters.domain.facts import NOTE, questions, sentence, texts
from characters.domain.sheet import Fact, Predicate
from tests.characters.turn.world import REGISTRY


def as_sentence(predicate: str, text: str) -> str:
    return sentence(Fact("f", predicate, text), REGISTRY.get(predicate))


SENTENCES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "an object that begins with a verb follows its subject": (
        ("HAS_MOTHER", "Sings alto in two choirs", "My mother sings alto in two choirs."),
        ("HAS_FATHER", "Taught every child in the valley", "My father taught every child in the valley."),
        ("HAS_MOTHER", "Still teaches the piano", "My mother still teaches the piano."),
        ("HAS_FATHER", "Retired from the navy", "My father is retired from the navy."),
        ("HAS_BROTHER", "Will runs the ferry", "My brother Will runs the ferry."),
    ),
    "a noun gets its verb and article": (
        ("HAS_FATHER", "Clockmaker who repaired bells", "My father is a clockmaker who repaired bells."),
        ("HAS_FATHER", "Retired teacher", "My father is a retired teacher."),
        ("HAS_MOTHER", "University professor", "My mother is a university professor."),
        ("HAS_UNCLE", "Norwegian sailor", "My uncle is a Norwegian sailor."),
        ("HAS_UNCLE", "The mayor of Torvik", "My uncle is the mayor of Torvik."),
    ),
    "how somebody is takes no article": (
        ("HAS_FATHER", "dead", "My father is dead."),
        ("HAS_FATHER", "alive and well", "My father is alive and well."),
    ),
    "a name keeps its capital and gets no article": (
        ("HAS_SIBLING", "Thomas", "My sibling is Thomas."),
        ("HAS_SIBLING", "Rose Tyler", "My sibling is Rose Tyler."),
    ),
    "inside a sentence only what is no name loses its capital": (
        ("HAS_NAME", "Rose", "My name is Rose."),
        ("LIVES_IN", "Bath, above a chemist's", "I live in Bath, above a chemist's."),
        ("LIKES", "Night dives", "I like night dives."),
        ("FAVORITE_BOOK", "The Dark Is Rising", "My favorite book: The Dark Is Rising."),
    ),
    "what somebody is gets the article that is spoken": (
        ("IS_A", "Blacksmith", "I am a blacksmith."),
        ("IS_A", "apprentice lamplighter", "I am an apprentice lamplighter."),
        ("IS_A", "the night porter", "I am the night porter."),
        ("IS_A", "hourly worker", "I am an hourly worker."),
    ),
    "several people are spoken of in the plural": (
        ("HAS_ANCESTORS", "Sailors from Crete", "My ancestors are sailors from Crete."),
        ("HAS_ANCESTORS", "Fished the coast for cod", "My ancestors fished the coast for cod."),
    ),
    "a note is its own sentence word for word": (
        (NOTE, "Nobody calls me before noon", "Nobody calls me before noon."),
    ),
    "what nobody registered is said in words, and braces stay": (
        ("OWES_MONEY_TO", "the baker", "My owes money to: the baker."),
        ("LIKES", "{object} and {a object}", "I like {object} and {a object}."),
    ),
}


def test_a_fact_is_said_as_she_would_say_it() -> None:
    for promise, cases in SENTENCES.items():
        for predicate, text, expected in cases:
            assert as_sentence(predicate, text) == expected, promise


@given(st.sampled_from([*REGISTRY, "UNHEARD_OF"]), st.text(min_size=1, max_size=60))
def test_every_text_becomes_a_sentence_that_keeps_its_words(predicate: str, text: str) -> None:
    sentence_ = as_sentence(predicate, text)
    assert text.strip()[1:] in sentence_
    assert predicate not in sentence_ or predicate in text


def test_a_fact_is_found_by_the_questions_of_its_predicate_its_topics_and_its_family() -> None:
    aunt = Fact("f", "HAS_AUNT", "Bus driver")
    asked = questions(aunt, REGISTRY["HAS_AUNT"])
    assert asked[0] == REGISTRY["HAS_AUNT"].question
    assert "Do you have any cousins?" in asked
    assert "How is your family?" in texts(aunt, REGISTRY["HAS_AUNT"]).general


def test_a_predicate_without_a_question_gets_two() -> None:
    made = ("What is your shoe size?", "Do you have a shoe size?")
    assert questions(Fact("f", "SHOE_SIZE", "44"), None) == made
    assert questions(Fact("f", "SHOE_SIZE", "44"), Predicate("SHOE_SIZE")) == made


def test_a_plain_sentence_in_the_third_person_is_compared_as_she_would_say_it() -> None:
    note = Fact("f", NOTE, "Ada's boat sank before Ada could swim")
    assert texts(note, None, "Ada Moe").sentence == "my boat sank before I could swim."
    assert texts(note, None, "Oskar").sentence == "Ada's boat sank before Ada could swim."
    assert sentence(note, None) == "Ada's boat sank before Ada could swim."


def test_the_words_of_a_predicate_bring_the_questions_of_its_topics() -> None:
    for predicate, question in (
        ("HAS_FATHER", "What is your father called?"),
        ("GREW_UP_IN", "Where did you grow up?"),
        ("FULL_NAME", "By what name should I address you?"),
        ("BOSS_OF_THE_DEPOT", "Who do you work for?"),
    ):
        assert question in topics.questions(predicate), predicate
    assert topics.questions("ZYLOTH") == ()
