"""Keys of lore: words of their own, in every script."""

import pytest

from characters.turn.lore_keys import first_word, matches, stands, words_in


@pytest.mark.parametrize(
    ("key", "text", "there"),
    [
        ("fog", "fog", True),
        ("fog", "the fog.", True),
        ("fog", "foghorn, then fog", True),
        ("fog", "foghorn", False),
        ("fog", "pea_fog", False),
        ("c++", "c++17 or c++", True),
        ("c++", "c++17", True),
        ("new york", "in new york!", True),
        ("龍", "火龍の話", True),
        ("fog", "霧fog霧", True),
        ("ø", "søn", False),
    ],
)
def test_a_key_stands_as_a_word(key: str, text: str, there: bool) -> None:
    assert stands(key, text) is there
    if there:  # or it is never looked for
        assert not first_word(key) or first_word(key) in words_in(text)


def test_a_key_without_words_is_looked_for_whatever_is_said() -> None:
    assert [first_word(key) for key in ("龍", "!?", "Fog bank", " ")] == ["", "", "fog", ""]


@pytest.mark.parametrize(
    ("pattern", "text", "cased", "found"),
    [
        (r"f.g", "FOG", False, True),
        (r"f.g", "FOG", True, False),
        (r"/f.g/i", "FOG", True, True),
        (r"/f.g/", "FOG", True, False),
        (r"(?P<x", "x", True, False),
        (r"(a+)+$", "a" * 3_000 + "b", True, False),
        (r"(?x)((a{50}) {50}) {50}", "a" * 125_000, True, False),
        (r"((a{,90}){,90}){,90}", "a", True, False),
    ],
)
def test_a_pattern_matches_or_gives_up(pattern: str, text: str, cased: bool, found: bool) -> None:
    assert matches(pattern, text, cased=cased) is found
