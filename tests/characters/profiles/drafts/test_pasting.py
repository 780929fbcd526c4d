"""Facts out of pasted text."""

import pytest

from characters.profiles.drafts.pasting import Pasted, read
from characters.turn.facts import NOTE

REGISTERED = {"HAS_FATHER", "LIKES", "IS_A", "LIVES_IN"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("HAS_FATHER\tBuilt boats", Pasted("HAS_FATHER", "Built boats")),
        ("shoe size\t44", Pasted("SHOE_SIZE", "44")),
        ('father\t"Built boats, and sank them"\t', Pasted("HAS_FATHER", "Built boats, and sank them")),
        ("Father: Built boats", Pasted("HAS_FATHER", "Built boats")),
        ("- lives in: Odense", Pasted("LIVES_IN", "Odense")),
        ("LIKES, rain, whatever the season", Pasted("LIKES", "rain, whatever the season")),
        ("HAS_SCAR: on the left hand", Pasted("HAS_SCAR", "on the left hand")),
        ("3) I have never seen a desert", Pasted(NOTE, "I have never seen a desert")),
        ("• She said: I like it", Pasted(NOTE, "She said: I like it")),
        ("Warning: she bites", Pasted(NOTE, "Warning: she bites")),
        ("A: b", Pasted(NOTE, "A: b")),
    ],
)
def test_a_line_is_a_fact(line: str, expected: Pasted) -> None:
    assert read(line, REGISTERED) == [expected]


@pytest.mark.parametrize("line", ["", "   ", "\t", "predicate\tobject", "Predicate,Object", "-  "])
def test_an_empty_line_and_the_head_of_a_table_are_none(line: str) -> None:
    assert read(line, REGISTERED) == []


def test_lines_keep_their_order() -> None:
    text = "predicate\tobject\nLIKES\train\n\nI sleep late.\r\nLIKES\tfog\n"
    assert [fact.object for fact in read(text, REGISTERED)] == ["rain", "I sleep late.", "fog"]
