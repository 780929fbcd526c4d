"""The guess where no word shows a class, on sentences made for these tests."""

import json
from typing import get_args

import pytest

from characters.domain.relations import Relation
from characters.memory.enrichment import cues, learned, signals
from characters.memory.enrichment.learned import MOST, Logistic, logistic
from characters.memory.enrichment.traits import Both, Message


def both(earlier: str, later: str, cosine: float | None = 0.4) -> Both:
    return Both(Message(earlier), Message(later), cosine)


def relation(*told: object) -> str:
    found = cues.verdict(both(*told), learned.shipped())  # type: ignore[arg-type]
    return found.relation if found else ""


def test_words_that_show_a_class_decide() -> None:
    found = cues.verdict(both("I want to start yoga.", "I changed my mind, no yoga any more."), learned.shipped())
    assert found is not None
    assert (found.relation, found.confidence > MOST) == ("Contrast", True)


def test_what_no_word_shows_is_guessed_below_the_usual_threshold() -> None:
    found = cues.verdict(both("The boiler needs a new valve.", "but the valve is fine here"), learned.shipped())
    assert found is not None
    assert (found.relation, found.evidence) == ("Contrast", cues.GUESSED)
    assert found.confidence <= MOST


def test_a_guess_goes_by_mood_and_nearness() -> None:
    for earlier, later, cosine, wanted in (
        ("Put the valve in from below.", "but it doesn't go in from below", 0.5, "Contrast"),
        ("Which valve fits this boiler?", "which boiler is it?", 0.6, "Follow-up"),
        ("The boiler leaks again.", "Whoever wins the regatta gets the silver cup tomorrow.", -0.05, "Unrelated"),
    ):
        assert relation(earlier, later, cosine) == wanted, later


def test_how_near_two_messages_are_is_a_signal() -> None:
    pair = both("The boiler leaks again.", "And the valve drips.", 0.5)
    for found in (signals.of_relation(pair), signals.of_shift(pair)):
        assert (found["cosine"], found["near"], found["near, tells"]) == (0.5, 0.2, 0.5)


def test_nothing_is_guessed_of_one_message() -> None:
    for earlier, later in (("", "Some plain words."), ("Some plain words.", "")):
        found = cues.verdict(both(earlier, later, None), learned.shipped())
        assert found is None or found.evidence != cues.GUESSED


def test_without_vectors_the_rules_decide_alone() -> None:
    pair = both("What does a valve cost?", "What does a boiler cost?", None)
    found, rule = cues.verdict(pair, learned.shipped()), cues.rule_for(pair)
    assert found is not None
    assert rule is not None
    assert (found.relation, found.evidence) == (rule.relation, rule.evidence)


def test_a_question_about_something_else_is_a_shift_and_an_answer_is_none() -> None:
    model = learned.shipped()
    assert cues.is_shift(both("My sister paints boats .", "cool . do you have any pets ?", 0.02), model)
    assert not cues.is_shift(both("Where do you live ?", "in a boat on the river , i live there .", 0.5), model)


def test_words_that_announce_another_subject_are_a_shift() -> None:
    pair = both("I love my garden roses.", "Let's change the subject: I love my garden roses.", 0.9)
    assert cues.is_shift(pair, learned.shipped())


def test_the_same_pair_gets_the_same_guess() -> None:
    first, second = (cues.verdict(both("A remark on boats.", "One more, longer."), learned.shipped()) for _ in "12")
    assert first == second


def test_the_weights_name_their_sources_and_belong_to_the_signals() -> None:
    kept = json.loads(learned.FILE.read_text())
    pair = both("One remark.", "Another one.")
    assert "Molweni" in kept["sources"]
    assert "TIAGE" in kept["sources"]
    assert learned.shipped().relations.names == tuple(signals.of_relation(pair))
    assert learned.shipped().shifts.names == tuple(signals.of_shift(pair))
    assert set(learned.shipped().relations.classes) <= set(get_args(Relation))


def test_chances_sum_to_one_and_a_model_is_read_as_it_was_written() -> None:
    model = learned.shipped().shifts
    again: Logistic = logistic(json.loads(json.dumps(model.as_json())))
    found = signals.of_shift(both("One remark.", "Another one?"))
    assert sum(model.chances(found).values()) == pytest.approx(1)
    assert again.chances(found) == model.chances(found)


def test_odd_texts_are_guessed_at_all() -> None:
    for text in ("?", "...", "🙂", "n't", " ' ", "\u0000", "a" * 5000):
        assert cues.verdict(both(text, text, 0.9), learned.shipped()) is not None
        assert cues.is_shift(both(text, text, 0.9), learned.shipped()) in {True, False}
