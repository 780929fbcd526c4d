"""What a question finds among the facts of the demo's Elena, with the real embedder and the weights as shipped."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from characters.domain.facts import all_texts
from characters.domain.sheet import Fact, Sheet
from characters.profiles.folder import read_folder
from characters.turn.background import Background, background
from characters.turn.fact_index import FactIndex, build_index
from characters.turn.intent import EXAMPLES, classify
from characters.turn.probe import Probe
from characters.turn.request import Snapshot
from kgadmin.operations.demo import loader
from kgadmin.stores.exported import ExportedEmbedder
from tests.characters.turn.world import REGISTRY, request

Ask = Callable[[str], Background]


@pytest.fixture(scope="module")
def elena() -> Sheet:
    return read_folder(Path(loader.__file__).parent / "characters" / "elena").sheet


@pytest.fixture(scope="module")
def ask(elena: Sheet, exported: ExportedEmbedder) -> Ask:
    return asking(elena, exported)


def asking(sheet: Sheet, embedder: ExportedEmbedder) -> Ask:
    """Ask the character of this sheet."""
    index = indexed(sheet, embedder)
    examples = {kind: embedder.embed(texts) for kind, texts in EXAMPLES.items()}

    def ask(message: str) -> Background:
        asked = request(message, sheet=sheet)
        vector = embedder.embed([message])[0]
        intent = classify(asked, Probe(), vector, examples)
        return background(asked, lambda _: Snapshot(index, "document"), vector, intent)

    return ask


def indexed(sheet: Sheet, embedder: ExportedEmbedder) -> FactIndex:
    texts = all_texts(sheet.facts, REGISTRY, sheet.name)
    vectors: Mapping[str, NDArray[np.float32]] = dict(zip(texts, embedder.embed(texts), strict=True))
    return build_index(sheet.facts, REGISTRY, sheet.concepts, vectors, sheet.name)


def predicates(result: Background) -> set[str]:
    return {fact.predicate for fact in result.used}


FINDS: dict[str, set[str]] = {
    # the edge cases of that design
    "What do you like?": {"LIKES"},
    "Your family values vs. my family values—which aligns better with marine biology?": {"HAS_FATHER"},
    "Were you born near the ocean?": {"BORN_IN", "GREW_UP_IN"},
    # its words
    "What is your background?": {"HAS_HERITAGE", "BORN_IN"},
    "How's your family?": {"HAS_FATHER", "HAS_MOTHER", "HAS_BROTHER"},
    "What was your childhood like?": {"HAS_CHILDHOOD", "GREW_UP_IN"},
    "How did your career begin?": {"FIRST_JOB", "CHOSE_CAREER_BECAUSE"},
    "What is your heritage?": {"HAS_HERITAGE", "HAS_ANCESTORS"},
    "How has your family influenced your career?": {"HAS_FATHER"},
    # a plural finds what the singular finds
    "Tell me about your families": {"HAS_MOTHER", "HAS_BROTHER"},
}


def test_a_question_finds_what_it_asks_for(ask: Ask) -> None:
    result = {message: predicates(ask(message)) for message in FINDS}
    assert {message: finds - result[message] for message, finds in FINDS.items() if finds - result[message]} == {}


def test_a_question_about_one_kind_of_fact_finds_that_kind_alone(ask: Ask) -> None:
    assert [fact.predicate for fact in ask("Your job?").used] == ["IS_A"]
    assert [fact.predicate for fact in ask("what do you love?").used[:2]] == ["LOVES", "LOVES"]


def test_a_plain_question_finds_its_fact_first_and_with_high_relevance(ask: Ask) -> None:
    for message, first in (
        ("Do you have a dog?", "HAS_PET"),
        ("What are you afraid of?", "HAS_FEAR"),
        ("What's your favorite coral?", "FAVORITE_CORAL"),
        ("What time do you get up?", "HAS_ROUTINE"),
        ("Do you like glitter?", "DISLIKES"),
    ):
        result = ask(message).used[0]
        assert (result.predicate, result.relevance) == (first, "high"), message
        assert result.question, message


NEGATIVES = """
Hi there
My sister is getting married in June
My father was a fisherman too
What is my name?
I love scuba diving
How do I get rid of a cold?
Why do corals bleach?
That's what I thought you'd say
The familiar smell of rain
What is a marine biologist?
How about you set a timer
I like your work
Can you read your story about the dragon
Your order has been shipped
What do you think of my new flat?
Is La Jolla far from here?
She told me where she grew up
Do you want to hear my story?
Do you remember what I do for a living?
"""


def test_what_does_not_ask_about_her_finds_nothing_and_says_why(ask: Ask) -> None:
    for message in NEGATIVES.strip().splitlines():
        result = ask(message)
        assert result.used == (), message
        assert result.skipped, message


def test_a_question_that_its_author_added_finds_a_fact_that_nothing_else_would(
    elena: Sheet, exported: ExportedEmbedder
) -> None:
    """It counts like those that stand for a predicate: the fact comes first, and is as relevant."""
    question = "Why do you walk so oddly on cold mornings?"
    knee = Fact("knee", "NOTE", "A mooring line took two of my toes in 2019")
    without = asking(replace(elena, facts=(*elena.facts, knee)), exported)(question)
    assert "knee" not in [fact.id for fact in without.used[:1]]
    asked = replace(knee, questions=("Why do you limp when it is cold?",))
    result = asking(replace(elena, facts=(*elena.facts, asked)), exported)(question).used
    assert (result[0].id, result[0].question) == ("knee", "Why do you limp when it is cold?")
