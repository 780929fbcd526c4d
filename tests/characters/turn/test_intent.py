import pytest
from hypothesis import given
from hypothesis import strategies as st

from characters.turn.intent import EXAMPLES, Intent, classify
from characters.turn.probe import Probe
from tests.characters.turn.world import embed, request

VECTORS = {kind: embed(texts) for kind, texts in EXAMPLES.items()}


def intent(message: str, *, primary: str = "") -> Intent:
    return classify(request(message), Probe(primary=primary), embed([message])[0], VECTORS)


@pytest.mark.parametrize(
    "message", ["Hi there", "hello!", "Good evening, Oskar", "Thanks so much!", "ok cool, bye", "How are you today?"]
)
def test_a_greeting_thanks_or_parting_is_small_talk(message: str) -> None:
    found = intent(message)
    assert (found.kind, found.by_vectors) == ("small talk", False)


@pytest.mark.parametrize(
    "message", ["Hi, where are you from?", "Thanks! Who closed the breakwater?", "How are your parents?"]
)
def test_no_rule_takes_a_question_after_a_greeting_for_small_talk(message: str) -> None:
    assert classify(request(message), Probe(), None, {}).kind != "small talk"


@pytest.mark.parametrize("message", ["help", "/status", " EXIT "])
def test_a_reflex_is_a_command(message: str) -> None:
    assert intent(message).kind == "command"


@pytest.mark.parametrize("message", ["What's your job?", "Is that hat yours?", "Introduce yourself"])
def test_a_question_with_your_is_about_the_character(message: str) -> None:
    assert intent(message).kind == "self-query"


@pytest.mark.parametrize(
    "message",
    ["What do you know about me?", "Do you remember what I said about my sister?", "What's my name, did I tell?"],
)
def test_a_question_what_is_known_of_the_person_is_a_user_query(message: str) -> None:
    assert intent(message).kind == "user-query"


def test_both_sides_at_once_are_mixed() -> None:
    assert intent("Is your dog older than my dog?").kind == "mixed"


def test_a_base_with_an_answer_makes_it_a_knowledge_question_and_with_you_mixed() -> None:
    assert intent("Who burned the gate?", primary="lanterns").kind == "knowledge question"
    both = intent("Have you heard who burned the gate?", primary="lanterns")
    assert both.kind == "mixed"
    assert "lanterns" in both.rule


def test_where_no_rule_fits_the_nearest_example_decides_and_is_named() -> None:
    found = intent("What are you so afraid of?")
    assert (found.kind, found.by_vectors) == ("self-query", True)
    assert found.nearest in EXAMPLES["self-query"]
    assert found.scores is not None
    assert max(found.scores, key=lambda kind: (found.scores or {})[kind]) == "self-query"


def test_a_close_call_is_said() -> None:
    assert intent("zyloth").close_call
    assert not intent("What are you so afraid of?").close_call


def test_without_vectors_the_rules_alone_decide_and_it_is_said() -> None:
    assert classify(request("Hi there"), Probe(), None, {}).kind == "small talk"
    unknown = classify(request("Who closed the breakwater?"), Probe(), None, {})
    assert unknown.kind == "knowledge question"
    assert "no vectors" in unknown.rule


def test_switched_off_it_says_so() -> None:
    found = classify(request("Hi there", off=frozenset({"intent"})), Probe(), None, {})
    assert found.skipped == "switched off"


@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_every_text_has_a_kind_and_a_reason(message: str) -> None:
    found = classify(request(message), Probe(), embed([message])[0], VECTORS)
    assert found.rule
    assert found.kind
