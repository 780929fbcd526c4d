import pytest

from characters.language.speech_acts import asks_for_memory, only_asks_back, questions, subject_stems, tells


@pytest.mark.parametrize(
    ("text", "is_telling"),
    [
        ("I prefer short ones, can you make some?", True),
        ("My sister has a boat. Do you sail?", True),
        ("Can't eat shrimp any more, turns out I'm allergic.", True),
        ("When I came home the cat was gone", True),
        ("What a day, I lost my keys", True),
        ("Can you make some for me?", False),
        ("Do you remember my car", False),
        ("what's my dog called", False),
        ("That's great! What inspired you?", False),
        ("Lovely painting.", False),
    ],
)
def test_a_message_tells_of_its_writer_what_it_states_outside_its_questions(text: str, is_telling: bool) -> None:
    assert tells(text) is is_telling


@pytest.mark.parametrize(
    ("text", "is_asking"),
    [
        ("remember my dog", True),
        ("which band do I play in", True),
        ("Did I tell you about the canoe?", True),
        ("When is Ann coming?", True),
        ("It rained. Where did I put the keys?", True),
        ("Tell me how snow comes about", False),
        ("What's the capital of Norway?", False),
        ("I told my boss", False),
        ("I love hiking. What about you?", False),
        ("Had a wild week", False),
    ],
)
def test_a_question_about_oneself_asks_for_a_memory_with_or_without_its_mark(text: str, is_asking: bool) -> None:
    assert asks_for_memory(text, {"ann"}) is is_asking


@pytest.mark.parametrize(
    ("text", "is_only_asking"),
    [
        ("Hey! When does my brother get married?", True),
        ("do you remember my car", True),
        ("do u remember my wifes birthday", True),
        ("Do you remember my dog? She's sick again.", False),
        ("Can you plan my trip to Oslo?", False),
        ("I have a dog", False),
        ("do you have a pet?", True),
        ("Really? Rex is sick.", False),
        ("Rex barks at everybody " * 100, False),
    ],
)
def test_a_question_for_what_is_known_tells_nothing_that_could_come_back(text: str, is_only_asking: bool) -> None:
    assert only_asks_back(text) is is_only_asking


def test_formulas_days_and_words_of_asking_are_no_subject() -> None:
    assert subject_stems("Hi, good morning! Do you remember yesterday?") == []
    assert subject_stems("Thanks, remember my dog?") == ["dog"]
    assert questions("It rained. where were you") == ["where were you"]
