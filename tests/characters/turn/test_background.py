from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from characters.domain.sheet import Fact, Sheet
from characters.turn.background import NARROW_LIMIT, Background, background
from characters.turn.fact_index import BROAD_LIMIT, build_index
from characters.turn.intent import EXAMPLES, classify
from characters.turn.probe import Probe
from characters.turn.request import Snapshot, TurnRequest
from tests.characters.turn.world import OSKAR, REGISTRY, embed, index, request

EXAMPLE_VECTORS = {kind: embed(texts) for kind, texts in EXAMPLES.items()}


def known(message: str, *, blind: bool = False, without: Sequence[str] = (), **changes: Any) -> Background:
    """What is found for `message`; `blind`: it has no vector; `without`: these facts have none."""
    asked = request(message, **changes)
    vector = None if blind else embed([message])[0]
    intent = classify(asked, Probe(), vector, {} if blind else EXAMPLE_VECTORS)
    return background(asked, lambda req: Snapshot(index(req.sheet, without=without), "graph"), vector, intent)


def ids(found: Background) -> list[str]:
    return [fact.id for fact in found.used]


@pytest.mark.parametrize(
    ("message", "first"),
    [
        ("Tell me about your father, please", "father"),
        ("Where were you born?", "born"),
        ("Where do you work?", "work"),
        ("What have you published so far?", "paper"),
        ("Are you afraid of escalators?", "fear"),
        ("What do you like about rhubarb?", "likes"),
    ],
)
def test_a_question_about_her_finds_the_fact_that_answers_it(message: str, first: str) -> None:
    found = known(message)
    assert ids(found)[0] == first
    assert found.skipped == ""


def test_family_finds_the_people_and_neither_the_word_in_an_object_nor_familiar_tunes() -> None:
    found = ids(known("How's your family?"))
    assert set(found) == {"father", "mother"}


def test_familiar_does_not_find_family() -> None:
    found = ids(known("Does your tram feel familiar to you?"))
    assert not {"father", "mother"} & set(found)


def test_a_category_of_the_sheet_finds_its_facts() -> None:
    assert {"job", "work", "paper"} & set(ids(known("How did your career go?")))


@pytest.mark.parametrize("message", ["Hi there", "Good morning!", "Thanks, bye", "How are you?"])
def test_small_talk_finds_nothing_and_says_why(message: str) -> None:
    found = known(message)
    assert found.used == ()
    assert found.skipped == "it is small talk"


@pytest.mark.parametrize("blind", [False, True])
def test_your_job_finds_at_most_the_occupation(blind: bool) -> None:
    assert ids(known("Your job?", blind=blind)) == ["job"]


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("What is my father's name?", "about the person"),
        ("Who closed the eastern breakwater?", "doesn't speak to the character"),
        ("Can you check the tram timetable?", "a request"),
    ],
)
def test_a_message_that_does_not_ask_about_her_finds_nothing_and_says_why(message: str, why: str) -> None:
    found = known(message)
    assert found.used == ()
    assert why in found.skipped


def test_naming_her_in_the_third_person_asks_about_her() -> None:
    assert ids(known("What is Oskar's job?")) == ["job"]
    assert ids(known("What is Lind's job?")) == ["job"]
    doctor = replace(OSKAR, name="Dr. Ada Moe")
    assert ids(known("What is Ada's job?", sheet=doctor)) == ["job"]


def test_a_question_that_no_fact_answers_finds_nothing_and_says_so() -> None:
    nothing = known("Do you own a zyloth?")
    assert nothing.used == ()
    assert nothing.skipped == "no fact is close enough to the message"


def test_a_narrow_question_gets_three_facts_at_most() -> None:
    sheet = replace(OSKAR, facts=tuple(Fact(f"l{i}", "LIKES", f"rhubarb number {i}") for i in range(9)))
    assert len(known("What rhubarb do you like?", sheet=sheet).used) == NARROW_LIMIT


@pytest.mark.parametrize(
    "message",
    [
        "Tell me about yourself",
        "Who are you?",
        "Describe yourself to me",
        "Your story?",
        "So who are you, exactly?",
        "I'd like to hear something about your life.",
    ],
)
def test_a_broad_question_gets_eight_facts_of_different_families(message: str) -> None:
    found = known(message)
    assert found.broad
    assert len(found.used) == BROAD_LIMIT
    families = [REGISTRY[fact.predicate].family for fact in found.used]
    assert len(set(families[:5])) == 5


@pytest.mark.parametrize(
    "message",
    [
        "Tell me about you and the depot",
        "Tell me about your father",
        "How about you set a timer",
        "What about you?",
        "Who are you voting for?",
        "Who are you meeting at the depot?",
        "Can you read your story about the dragon",
        "Your story was long",
        "How would you describe yourself as a driver?",
    ],
)
def test_a_message_about_something_narrower_is_not_broad(message: str) -> None:
    assert not known(message).broad


@pytest.mark.parametrize("message", ["I like your work", "Your job is done", "Can you bring your work over"])
def test_naming_a_category_without_asking_for_it_opens_nothing(message: str) -> None:
    assert known(message).gate != "it names a category of her facts"


def test_facts_go_in_as_sentences_best_first_with_their_signals() -> None:
    found = known("Tell me about your father and his bells")
    father = found.used[0]
    assert father.sentence == "My father is a clockmaker who repaired the town hall's bells."
    assert father.lexical > 0
    assert father.semantic > 0
    scores = [fact.score for fact in found.used]
    assert scores == sorted(scores, reverse=True)


def test_the_level_says_how_sure_a_fact_is() -> None:
    levels = {"high": 0.75, "medium": 0.5, "low": 0.0}
    for message in ("How's your family?", "Where were you born?", "Tell me about your father"):
        for fact in known(message).used:
            assert fact.score >= levels[fact.relevance]


def test_a_fact_that_is_switched_off_is_not_used_and_is_named_as_dropped() -> None:
    found = known("Tell me about your father", off=frozenset({"fact:father"}))
    assert "father" not in ids(found)
    assert [fact.why for fact in found.dropped if fact.id == "father"] == ["switched off"]


@pytest.mark.parametrize("by_sheet", [False, True])
def test_switched_off_nothing_is_even_read(by_sheet: bool) -> None:
    def read(_: TurnRequest) -> Snapshot:
        raise AssertionError

    settings = replace(OSKAR.settings, stages_off=("background",)) if by_sheet else OSKAR.settings
    off = frozenset[str]() if by_sheet else frozenset({"background"})
    asked = request("Tell me about your father", sheet=replace(OSKAR, settings=settings), off=off)
    intent = classify(asked, Probe(), None, {})
    assert background(asked, read, None, intent).skipped == "switched off"


@pytest.mark.parametrize(
    ("message", "first"), [("Tell me about your father", "father"), ("Do escalators scare you?", "fear")]
)
def test_without_vectors_words_alone_find_what_they_name(message: str, first: str) -> None:
    found = known(message, blind=True)
    assert ids(found)[:1] == [first]
    assert found.used[0].semantic == 0


def test_without_vectors_unrelated_words_still_find_nothing() -> None:
    assert known("Do you own a zyloth?", blind=True).used == ()
    assert known("Hi there", blind=True).used == ()


def test_a_fact_whose_vectors_are_still_being_made_is_found_by_its_words_and_counted() -> None:
    found = known("Tell me about your father", without=["father", "fear"])
    assert ids(found)[0] == "father"
    assert found.missing_vectors == 2


def test_vectors_of_another_embedder_count_as_none() -> None:
    bare = background(
        request("Tell me about your father"),
        lambda req: Snapshot(index(req.sheet), "graph"),
        embed(["x"])[0][:8],
        classify(request("Tell me about your father"), Probe(), None, {}),
    )
    assert ids(bare)[:1] == ["father"]


def test_a_character_without_facts_says_so() -> None:
    found = known("Who are you?", sheet=Sheet("Nobody", "You are nobody."))
    assert found.skipped == "Nobody has no facts yet"


def test_where_the_facts_were_read_is_told() -> None:
    asked = request("Your job?")
    snapshot = Snapshot(build_index(OSKAR.facts, REGISTRY, (), {}), "document", "the graph is down")
    found = background(asked, lambda _: snapshot, None, classify(asked, Probe(), None, {}))
    assert (found.source, found.source_reason, found.total) == ("document", "the graph is down", len(OSKAR.facts))


def test_what_was_nearly_used_says_why_it_was_not() -> None:
    rhubarb = tuple(Fact(f"l{i}", "LIKES", f"rhubarb number {i}") for i in range(5))
    far = Fact("far", "LOVES", "rhubarb or anything else that grows sour in a shady bed behind an old shed")
    found = known("What rhubarb do you like?", sheet=replace(OSKAR, facts=(*rhubarb, far)))
    reasons = {fact.id: fact.why for fact in found.dropped}
    assert reasons["l4"] == "less fitting than those used"
    assert not set(reasons) & set(ids(found))
    unasked = known("Who planted rhubarb number 4?", sheet=replace(OSKAR, facts=rhubarb))
    assert {fact.why for fact in unasked.dropped} == {unasked.gate}


@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_no_message_breaks_it_or_gets_more_than_its_share(message: str) -> None:
    found = known(message)
    assert len(found.used) <= (BROAD_LIMIT if found.broad else NARROW_LIMIT)
    assert bool(found.skipped) == (not found.used)
    assert all(0 <= fact.score <= 1 for fact in (*found.used, *found.dropped))
