from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from characters.domain.sheet import Fact
from characters.turn import cues, signals, weights
from characters.turn.background import NARROW_LIMIT, OF_CHOSEN, Background, background
from characters.turn.fact_index import BROAD_LIMIT
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


def ids(result: Background) -> list[str]:
    return [fact.id for fact in result.used]


def test_a_question_about_her_finds_the_fact_that_answers_it() -> None:
    for message, first in (
        ("Tell me about your father, please", "father"),
        ("Where were you born?", "born"),
        ("Are you afraid of escalators?", "fear"),
        ("What do you like about rhubarb?", "likes"),
    ):
        result = known(message)
        assert (ids(result)[0], result.skipped) == (first, ""), message


def test_a_message_that_does_not_ask_about_her_finds_nothing_and_says_why() -> None:
    for message, why in (
        ("Hi there", "it is small talk"),
        ("What is my father's name?", "about the person"),
        ("Who closed the eastern breakwater?", "doesn't speak to the character"),
        ("Can you check the tram timetable?", "a request"),
    ):
        result = known(message)
        assert result.used == (), message
        assert why in result.skipped, message


def test_naming_her_in_the_third_person_asks_about_her() -> None:
    assert ids(known("What is Oskar's job?")) == ["job"]
    assert ids(known("What is Lind's job?")) == ["job"]
    doctor = replace(OSKAR, name="Dr. Ada Moe")
    assert ids(known("What is Ada's job?", sheet=doctor)) == ["job"]


def test_a_narrow_question_gets_three_facts_at_most() -> None:
    sheet = replace(OSKAR, facts=tuple(Fact(f"l{i}", "LIKES", f"rhubarb number {i}") for i in range(9)))
    assert len(known("What rhubarb do you like?", sheet=sheet).used) == NARROW_LIMIT


def test_a_broad_question_gets_eight_facts_of_different_families() -> None:
    for message in (
        "Tell me about yourself",
        "Your story?",
        "So who are you, exactly?",
    ):
        result = known(message)
        assert (result.broad, len(result.used)) == (True, BROAD_LIMIT), message
        families = [REGISTRY[fact.predicate].family for fact in result.used]
        assert len(set(families[:5])) == 5, message


def test_a_message_about_something_narrower_is_not_broad() -> None:
    for message in (
        "Tell me about you and the depot",
        "How about you set a timer",
        "Can you read your story about the dragon",
        "How would you describe yourself as a driver?",
    ):
        assert not known(message).broad, message


def test_a_fact_that_is_switched_off_is_named_as_dropped() -> None:
    result = known("Tell me about your father", off=frozenset({"fact:father"}))
    assert [fact.why for fact in result.dropped if fact.id == "father"] == ["switched off"]


def test_without_vectors_words_alone_find_what_they_name_and_nothing_else() -> None:
    for message, first in (
        ("Tell me about your father", ["father"]),
        ("Do escalators scare you?", ["fear"]),
        ("Do you own a zyloth?", []),
        ("Hi there", []),
    ):
        result = known(message, blind=True)
        assert ids(result)[:1] == first, message
        assert all(fact.semantic == 0 for fact in result.used), message


def test_a_fact_whose_vectors_are_still_being_made_is_found_by_its_words_and_counted() -> None:
    result = known("Tell me about your father", without=["father", "fear"])
    assert ids(result)[0] == "father"
    assert result.missing_vectors == 2
    nothing = known("What frightens you?", without=["father", "fear"])
    assert nothing.skipped == "2 facts are still being read"


def test_vectors_of_another_embedder_count_as_none() -> None:
    asked = request("Tell me about your father")
    intent = classify(asked, Probe(), None, {})
    assert ids(background(asked, _snapshot, embed(["x"])[0][:8], intent))[:1] == ["father"]


# Facts that the character learned come behind those of the sheet, and take no place from them.

CORAL = Fact("learned:1", "FAVORITE_CORAL", "staghorn")
FATHER = Fact("learned:2", "ADMIRES", "my father's patience with trams")


def with_learned(message: str, *learned: Fact) -> list[str]:
    asked, vector = request(message, learned=learned), embed([message])[0]
    return ids(background(asked, _snapshot, vector, classify(asked, Probe(), vector, EXAMPLE_VECTORS)))


def _snapshot(asked: TurnRequest) -> Snapshot:
    both = index(replace(asked.sheet, facts=asked.facts)) if asked.learned else None
    return Snapshot(index(asked.sheet), "graph", with_learned=both)


def test_learned_facts_stand_behind_those_that_would_be_there_anyway_and_in_no_general_answer() -> None:
    assert CORAL.id in with_learned("What's your favourite coral?", CORAL)
    for message in ("Tell me about your father, please", "What's your favourite coral?"):
        result, core = with_learned(message, CORAL, FATHER), with_learned(message)
        assert result[: len(core)] == core, message
        assert all(each.startswith("learned:") for each in result[len(core) :]), message
    assert with_learned("Tell me about yourself", CORAL, FATHER) == with_learned("Tell me about yourself")


def test_the_shipped_weights_are_for_the_signals_of_this_program() -> None:
    model = weights.shipped()
    for deciding in (model.by_vectors, model.by_words):
        assert deciding.rank.names == signals.NAMES
        assert deciding.asked.names == tuple(cues.CUES)
        assert deciding.right.names == OF_CHOSEN
        assert 0 < deciding.threshold < 1
        assert len(deciding.typical) == len(cues.CUES)
