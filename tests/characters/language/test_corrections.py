import pytest

from characters.language import corrections

ENDINGS = (
    ("I gave up the cello", {"cello"}),
    ("sold the car yesterday, a student took it", {"car"}),
    ("Oh, I'm not vegetarian any more", {"vegetarian"}),
    ("Coco died last night", {"coco"}),
    ("Henrik and I broke up", {"henrik"}),
    ("I changed my mind, no yoga for me", {"yoga"}),
    ("I have finally stopped eating meat", {"eat", "meat"}),
    ("Ottoline isn't my sister, she is my cousin", {"ottolin"}),
    ("Mia's hamster died", {"hamster"}),
    ("I cancelled the dinner with Anna", {"dinner"}),
)
OTHERS = (
    "I stopped at the shop in Halmstad for coffee",
    "My sister sold her car, she lives in Halmstad",
    "I never quit coffee",
    "Henrik and I never broke up",
    "If Luna died I'd be lost",
    "I couldn't love Luna any more",
    "Should I quit being a nurse?",
    "I'm dead tired, not any more than usual",
    "Anna and I split up the bill",
    "I thought Pixel died",
    "Tom said: I quit football",
    "I changed my mind, I'd rather have tea",
)


@pytest.mark.parametrize(("text", "stems"), ENDINGS)
def test_what_ended_is_named_by_its_clause(text: str, stems: set[str]) -> None:
    assert corrections.ended(text) == [frozenset(stems)]
    assert corrections.strength(text) == 2


@pytest.mark.parametrize("text", OTHERS)
def test_what_others_did_or_nobody_did_ends_nothing(text: str) -> None:
    assert corrections.ended(text) == []


@pytest.mark.parametrize(
    ("text", "earlier", "is_corrected"),
    [
        ("no, I meant Tuesday", "The exam is on Monday", True),
        ("No, on Tuesday", "The exam is on Monday", True),
        ("No, it's fine", "I am allergic to nuts", False),
        ("Sorry, that's my phone", "The exam is on Monday", False),
        ("I said the choir sings on Tuesdays, no, I meant Thursdays", "Lunch break is at 1", False),
    ],
)
def test_what_puts_the_message_before_right(text: str, earlier: str, is_corrected: bool) -> None:
    assert corrections.puts_right(text, earlier) is is_corrected


@pytest.mark.parametrize(
    ("text", "earlier", "is_corrected"),
    [
        ("I sold my canoe", "I own a red canoe", True),
        ("Oh, it's not walnuts at all", "I'm allergic to walnuts", True),
        ("skye is pushed back to june, flights were mad", "we go to skye in february", True),
        ("the exam got moved to the 20th", "The choir exam is on the 14th", True),
        ("the exam got moved to the 20th", "I'm learning for the exam", False),
        ("my desk was moved to floor 3", "we meet on the 14th", False),
        ("My sister sold her car", "My car is a red Volvo", False),
        ("I don't have time for Luna today", "My cat is called Luna", False),
        ("I'm not going if it rains", "I'm going to the lake", False),
        ("My printer doesn't work", "I work at Google in Zurich", False),
        ("I don't eat meat", "I eat meat every day", True),
    ],
)
def test_a_later_message_takes_back_what_an_earlier_one_says(text: str, earlier: str, is_corrected: bool) -> None:
    assert (corrections.ends(text, earlier) or corrections.denies(text, earlier)) is is_corrected
