from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from characters.turn.assemble import embed_texts
from characters.turn.intent import Intent
from characters.turn.memory import RELATED_CONFIDENCE, Memory, recall
from characters.turn.request import Budgets, HistoryMessage
from tests.characters.turn.kirsten import asked, readers, related
from tests.characters.turn.kirsten import past as said
from tests.characters.turn.world import World, embed

PAST = (
    ("I want to start yoga on Mondays at the harbour gym", 40),
    ("Luna hid under the stove when the snow came", 20, "She likes it warm."),
    ("I changed my mind, no yoga at the harbour gym for me", 5),
    ("The kiln at the glass works broke and we lost a week of vases", 60),
    ("Hi there, good morning!", 3),
)


def run(message: str, past: tuple[Any, ...] = PAST, *, relations: Any = None, **changes: Any) -> Memory:
    world = World()
    request = asked(world, message, **changes)
    vectors = embed_texts(request, (message,), embed)
    reads = readers(world, **said(*past), related=relations or related())
    return recall(request, reads, vectors, Intent())


def texts(result: Memory) -> list[str]:
    return [each.text for each in result.used]


def test_what_was_said_comes_back_with_when_and_what_was_answered() -> None:
    result = run("Does Luna like the snow?")
    assert texts(result) == [PAST[1][0]]
    assert result.used[0].when == "three weeks ago"
    assert result.used[0].reply == "She likes it warm."
    assert result.searched == 5


def test_a_later_correction_qualifies_what_it_corrects() -> None:
    result = run("Shall we talk about yoga at the harbour gym?", relations=related((1, 3, "Contrast")))
    first = result.used[0]
    assert first.id == "message:1"
    assert [(each.id, each.words) for each in first.qualified] == [("message:3", "but later")]
    assert "message:3" not in {each.id for each in result.used}


@pytest.mark.parametrize(
    ("earlier", "later", "asked"),
    [
        ("I am vegetarian and love lentils", "Oh, I'm not vegetarian any more", "Am I vegetarian?"),
        ("My cat Pixel sleeps on the stove", "Pixel died in the night", "Do you remember Pixel, my cat?"),
        ("I work at the bank as a teller", "I quit my job at the bank", "What do I do at the bank?"),
        ("The exam of mine is on Monday", "No, I meant Tuesday", "When is my exam?"),
    ],
)
def test_what_was_taken_back_is_told_as_taken_back(earlier: str, later: str, asked: str) -> None:
    past = ((earlier, 9.0), (later, 8.99), ("I sold the old kiln", 4), ("My brother stopped at the harbour", 3))
    result = run(asked, past)
    assert next((each.text, [after.text for after in each.qualified]) for each in result.used) == (earlier, [later])


def test_without_a_relation_that_is_sure_both_stand_for_themselves() -> None:
    past = (PAST[0], PAST[1], ("The harbour gym has no yoga on Fridays", 5))
    for relations in (None, related((1, 3, "Contrast"), sure=RELATED_CONFIDENCE - 0.01)):
        result = run("Shall we talk about yoga at the harbour gym?", past, relations=relations)
        assert {"message:1", "message:3"} <= {each.id for each in result.used}
        assert not any(each.qualified for each in result.used)


def test_what_asks_for_what_was_told_needs_less_than_what_does_not() -> None:
    asked = run("Does my Luna like the snow?").threshold
    for message, is_asked in (
        ("do I like the snow", True),
        ("remember the snow?", True),
        ("Did I tell you of the snow?", True),
        ("Do you like the snow?", False),
        ("I like the snow", False),
        ("Tell me how snow comes about", False),
        ("Oskar, how does snow come about?", False),
    ):
        threshold = run(message).threshold
        assert (threshold == asked) if is_asked else (threshold > asked), message


def test_a_greeting_surfaces_nothing() -> None:
    for message in ("Good morning!", "Hi Oskar, how are you today?", "Thanks, see you tomorrow", "ok"):
        assert not run(message).used, message


def test_what_stands_in_the_history_or_is_switched_off_is_left_out() -> None:
    history = (HistoryMessage("user", PAST[1][0], "message:2"),)
    for why, changes in (
        ("it stands in the history", {"history": history}),
        ("switched off", {"off": frozenset({"message:2"})}),
    ):
        result = run("Does Luna like the snow?", **changes)
        assert result.used == (), why
        assert {each.id: each.why for each in result.dropped}["message:2"] == why
    assert texts(run("Does Luna like the snow?", history=history, budgets=Budgets(history=1))) == [PAST[1][0]]


def test_a_named_day_decides_between_like_messages() -> None:
    past = (("We painted the shed at the harbour", 100), ("We painted the boat at the harbour", 1))
    assert run("What did we paint at the harbour yesterday?", past).used[0].id == "message:2"


def test_a_named_day_is_the_day_that_was_talked_about_too() -> None:
    past = (("We paint the shed at the harbour on 3 May 2031", 2), ("We paint the boat at the harbour", 1))
    assert run("What do we paint at the harbour on May 3, 2031?", past).used[0].id == "message:1"


TAKEN_BACK = (
    ("I play the cello in the harbour band", "I gave up the cello", "Do I play the cello?"),
    ("I am engaged to Henrik", "I'm no longer engaged", "Am I engaged to Henrik?"),
    ("I own a red canoe", "I sold my canoe", "What canoe do I own?"),
    ("I rent a flat on Kiln Street", "I don't rent the flat any more", "Where do I rent a flat?"),
    ("My parrot Coco whistles", "Coco died last night", "Does my parrot Coco whistle?"),
)
FILLER = ("The snow is late this year", "I baked bread with rye", "My sister painted the shed", "I quit smoking")


@settings(max_examples=25, deadline=None)
@given(
    order=st.permutations(range(len(TAKEN_BACK))),
    count=st.integers(1, len(TAKEN_BACK)),
    fill=st.lists(st.sampled_from(FILLER), max_size=8),
    together=st.booleans(),
)
def test_what_was_taken_back_never_stands_alone(order: list[int], count: int, fill: list[str], together: bool) -> None:
    pairs = [TAKEN_BACK[each] for each in order[:count]]
    first, later = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    texts_in_order = [*first, *fill, *later] if together else [text for pair in pairs for text in (*pair[:2], *fill)]
    past = [(text, float(len(texts_in_order) - place)) for place, text in enumerate(dict.fromkeys(texts_in_order))]
    for before, after, question in pairs:
        recalled = {each.text: [later.text for later in each.qualified] for each in run(question, tuple(past)).used}
        assert after in recalled.get(before, [after])
        assert recalled, "something comes up, so that this says something"
