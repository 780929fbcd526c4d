from characters.turn.intent import EXAMPLES, Intent, classify
from characters.turn.probe import Probe
from tests.characters.turn.world import embed, request

VECTORS = {kind: embed(texts) for kind, texts in EXAMPLES.items()}


def intent(message: str, *, primary: str = "") -> Intent:
    return classify(request(message), Probe(primary=primary), embed([message])[0], VECTORS)


def test_a_greeting_thanks_or_parting_is_small_talk() -> None:
    for message in (
        "Hi there",
        "hello!",
        "Good evening, Oskar",
        "Thanks so much!",
        "ok cool, bye",
        "How are you today?",
    ):
        result = intent(message)
        assert (result.kind, result.by_vectors) == ("small talk", False), message


def test_no_rule_takes_a_question_after_a_greeting_for_small_talk() -> None:
    for message in ("Hi, where are you from?", "Thanks! Who closed the breakwater?", "How are your parents?"):
        assert classify(request(message), Probe(), None, {}).kind != "small talk", message


def test_rules_tell_commands_and_questions_about_either_side() -> None:
    for message, kind in (
        ("help", "command"),
        (" EXIT ", "command"),
        ("What's your job?", "self-query"),
        ("Is that hat yours?", "self-query"),
        ("Introduce yourself", "self-query"),
        ("What do you know about me?", "user-query"),
        ("Do you remember what I said about my sister?", "user-query"),
        ("What's my name, did I tell?", "user-query"),
        ("Is your dog older than my dog?", "mixed"),
    ):
        assert intent(message).kind == kind, message


def test_a_base_with_an_answer_makes_it_a_knowledge_question_and_with_you_mixed() -> None:
    assert intent("Who burned the gate?", primary="lanterns").kind == "knowledge question"
    both = intent("Have you heard who burned the gate?", primary="lanterns")
    assert both.kind == "mixed"
    assert "lanterns" in both.rule


def test_where_no_rule_fits_the_nearest_example_decides_and_is_named() -> None:
    result = intent("What are you so afraid of?")
    assert (result.kind, result.by_vectors) == ("self-query", True)
    assert result.nearest in EXAMPLES["self-query"]
    assert result.scores is not None
    assert max(result.scores, key=lambda kind: (result.scores or {})[kind]) == "self-query"


def test_a_close_call_is_said() -> None:
    assert intent("zyloth").close_call
    assert not intent("What are you so afraid of?").close_call
