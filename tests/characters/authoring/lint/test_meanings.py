"""Duplicates in other words, and facts that nobody's question finds, with the real embedder."""

from dataclasses import replace
from functools import partial

from characters.authoring.lint import checks, findability, meanings
from characters.authoring.lint.findings import Finding
from characters.authoring.lint.question_forms import questions
from characters.domain.facts import all_texts
from characters.domain.sheet import Fact, Sheet
from kgadmin.stores.embedder import LocalEmbedder
from tests.characters.authoring.lint.test_checks import REGISTRY
from tests.characters.profiles.sheets import sheet

APART = (
    ("HAS_BROTHER", "Tom, a welder"), ("HAS_BROTHER", "Tim, a welder"),
    ("LIKES", "green tea"), ("LIKES", "black tea"), ("DISLIKES", "herbal tea"),
    ("WON_AWARD", "Kyoto Prize 2019"), ("WON_AWARD", "Kyoto Prize in 2021"),
    ("HAS_FATHER", "retired fisherman"), ("HAS_UNCLE", "retired fisherman"),
    ("HAS_PET", "a cat called Luna"), ("HAS_PET", "a cat called Sol"),
    ("LIKES", "tea"), ("LIKES", "iced tea"), ("LIKES", "green tea with honey"), ("LIKES", "green tea with lemon"),
    ("NOTE", "I don't drink coffee after noon"), ("NOTE", "I drink coffee in the morning"),
    ("NOTE", "I drink tea in the morning"), ("NOTE", "I have two sisters"), ("NOTE", "I have three sisters"),
)  # fmt: skip


def embedded(embedder: LocalEmbedder, texts: list[str]) -> meanings.Vectors:
    return dict(zip(texts, embedder.embed(texts), strict=True))


def vectors_of(embedder: LocalEmbedder, shown: Sheet) -> meanings.Vectors:
    tried = findability.likely_questions(shown, REGISTRY)
    texts = [
        *all_texts(shown.facts, REGISTRY, shown.name),
        *(question for questions in tried.values() for question in questions),
    ]
    return embedded(embedder, texts)


def pairs(embedder: LocalEmbedder, *facts: tuple[str, str]) -> list[tuple[str, ...]]:
    shown = sheet(*facts)
    return [each.facts for each in meanings.duplicates(shown.facts, REGISTRY, vectors_of(embedder, shown), shown.name)]


def test_the_same_in_other_words_is_found(embedder: LocalEmbedder) -> None:
    for first, other in (
        (("HAS_GOAL", "open a coral nursery"), ("HAS_DREAM", "founding a nursery for corals")),
        (("PLAYS", "the piano"), ("PLAYS", "piano, since childhood")),
        (("LIKES", "Rain on a tin roof"), ("LOVES", "the sound of rain on tin roofs")),
        (("GREW_UP_IN", "Oslo"), ("NOTE", "I grew up in Oslo")),
    ):
        assert pairs(embedder, first, ("SPEAKS", "Danish"), other) == [("f1", "f3")], first


def test_what_a_name_a_number_or_a_relative_tells_apart_is_no_duplicate(embedder: LocalEmbedder) -> None:
    assert pairs(embedder, *APART) == []


def not_findable(embedder: LocalEmbedder, shown: Sheet) -> dict[str, Finding]:
    tried = findability.likely_questions(shown, REGISTRY)
    findings = findability.not_findable(
        shown, REGISTRY, vectors_of(embedder, shown), tried, partial(embedded, embedder)
    )
    return {each.facts[0]: each for each in findings}


def lost(embedder: LocalEmbedder, shown: Sheet) -> dict[str, tuple[str, ...]]:
    return {id: each.tried for id, each in not_findable(embedder, shown).items()}


def test_a_fact_behind_a_name_that_nobody_asks_by_is_not_found_until_it_has_a_question(
    embedder: LocalEmbedder,
) -> None:
    others = sheet(*APART, ("IS_A", "diver"), ("LIVES_IN", "Odense"), ("SPEAKS", "Danish")).facts
    opaque = Fact("b", "REGISTERED_UNDER", "K-4471")
    shown = Sheet("Ann", "You are Ann.", (*others, opaque))
    findings = not_findable(embedder, shown)
    assert findings["b"].sentence == "No likely question finds REGISTERED_UNDER “K-4471”."
    assert len(findings["b"].tried) > 5
    (edit,) = findings["b"].fixes[0].edits
    assert edit.value["questions"] == ["What do you know about K-4471?"]
    mended = replace(opaque, questions=tuple(edit.value["questions"]))
    assert "b" not in lost(embedder, replace(shown, facts=(*others, mended)))


def test_a_predicate_that_is_not_written_yet_is_linted_like_any(embedder: LocalEmbedder) -> None:
    for name in ("_", "", " ", "__", "?"):
        shown = sheet((name, "a boat"), ("LIKES", "fog"), identity="You have a boat.")
        assert "f2" not in lost(embedder, shown), name
        assert pairs(embedder, (name, "a boat"), ("LIKES", "fog")) == [], name
        assert list(checks.contradictions(shown, REGISTRY)) == [], name
        list(checks.repeated_identity(shown, REGISTRY))


NOTES = (
    "I have been to Rome twice", "I have one dog", "My house has 3 bedrooms", "I have lived in Kiel for 4 years",
    "I have two sisters", "Visited Lima in 1999",
)  # fmt: skip


def test_what_ordinary_questions_find_is_not_told_as_lost(embedder: LocalEmbedder) -> None:
    assert lost(embedder, sheet()) == {}
    drinks = [("LIKES", drink) for drink in ("iced tea", "black coffee", "cold milk", "hot chocolate", "plum juice")]
    assert lost(embedder, sheet(*drinks, *(("NOTE", note) for note in NOTES))) == {}


ASKED = (
    ("I have been to Rome twice.", "Have you been to Rome?"),
    ("I have never seen a desert", "Have you ever seen a desert?"),
    ("I have one dog", "Do you have a dog?"),
    ("I’ve lived in Kiel for 4 years", "Have you lived in Kiel?"),
    ("I like iced tea.", "Do you like iced tea?"),
    ("I grew up in Oslo.", "Did you grow up in Oslo?"),
    ("I loved my time at sea, most of all the nights", "Did you love your time at sea?"),
    ("I planned a trip", "Did you plan a trip?"),
    ("I carried water", "Did you carry water?"),
    ("I can not drive", "Can you drive?"),
    ("I don't drink coffee after noon", "Do you drink coffee after noon?"),
    ("I'm afraid of my own shadow", "Are you afraid of your own shadow?"),
    ("My father is dead", "Is your father dead?"),
    ("Visited Lima in 1999", "Did you visit Lima?"),
)


def test_a_sentence_is_asked_for_as_people_would() -> None:
    for statement, asked in ASKED:
        assert asked in questions(statement), statement
