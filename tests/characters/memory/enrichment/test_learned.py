"""The guess where no word shows a class, on sentences made for these tests."""

from characters.memory.enrichment import cues, learned, signals
from characters.memory.enrichment.learned import MOST
from characters.memory.enrichment.traits import Both, Message


def both(earlier: str, later: str, cosine: float | None = 0.4) -> Both:
    return Both(Message(earlier), Message(later), cosine)


def relation(*told: object) -> str:
    found = cues.verdict(both(*told), learned.shipped())  # type: ignore[arg-type]
    return found.relation if found else ""


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


def test_a_question_about_something_else_is_a_shift_and_an_answer_is_none() -> None:
    model = learned.shipped()
    assert cues.is_shift(both("My sister paints boats .", "cool . do you have any pets ?", 0.02), model)
    assert not cues.is_shift(both("Where do you live ?", "in a boat on the river , i live there .", 0.5), model)


def test_words_that_announce_another_subject_are_a_shift() -> None:
    pair = both("I love my garden roses.", "Let's change the subject: I love my garden roses.", 0.9)
    assert cues.is_shift(pair, learned.shipped())
