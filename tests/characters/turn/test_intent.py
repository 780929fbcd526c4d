from characters.turn.intent import EXAMPLES, Intent, classify
from characters.turn.probe import Probe
from tests.characters.turn.world import embed, request

VECTORS = {kind: embed(texts) for kind, texts in EXAMPLES.items()}


def intent(message: str, *, primary: str = "") -> Intent:
    return classify(request(message), Probe(primary=primary), embed([message])[0], VECTORS)


def test_rules_tell_small_talk_commands_and_questions_about_either_side() -> None:
    for message, kind in (
        ("Hi there", "small talk"),
        ("Good evening, Oskar", "small talk"),
        ("Thanks so much!", "small talk"),
        ("How are you today?", "small talk"),
        ("help", "command"),
        (" EXIT ", "command"),
        ("What's your job?", "self-query"),
        ("Introduce yourself", "self-query"),
        ("What do you know about me?", "user-query"),
        ("Do you remember what I said about my sister?", "user-query"),
        ("Is your dog older than my dog?", "mixed"),
    ):
        result = intent(message)
        assert (result.kind, result.by_vectors) == (kind, False), message
    for question in ("Hi, where are you from?", "Thanks! Who closed the breakwater?", "How are your parents?"):
        assert classify(request(question), Probe(), None, {}).kind != "small talk", question


def test_a_base_with_an_answer_makes_it_a_knowledge_question_and_with_you_mixed() -> None:
    assert intent("Who burned the gate?", primary="lanterns").kind == "knowledge question"
    both = intent("Have you heard who burned the gate?", primary="lanterns")
    assert both.kind == "mixed"
    assert "the primary base has an answer" in both.rule


def test_where_no_rule_fits_the_nearest_example_decides_and_is_named() -> None:
    result = intent("What are you so afraid of?")
    assert (result.kind, result.by_vectors, result.close_call) == ("self-query", True, False)
    assert intent("zyloth").close_call
    assert result.nearest in EXAMPLES["self-query"]
    assert result.scores is not None
    assert max(result.scores, key=lambda kind: (result.scores or {})[kind]) == "self-query"
