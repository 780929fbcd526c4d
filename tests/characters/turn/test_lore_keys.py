"""Keys of lore: words of their own, in every script."""

from characters.turn.lore_keys import first_word, matches, stands, words_in


def test_a_key_stands_as_a_word() -> None:
    for key, text, there in (
        ("fog", "fog", True),
        ("fog", "foghorn, then fog.", True),
        ("fog", "foghorn", False),
        ("fog", "pea_fog", False),
        ("c++", "c++17", True),
        ("new york", "in new york!", True),
        ("龍", "火龍の話", True),
        ("fog", "霧fog霧", True),
        ("ø", "søn", False),
    ):
        assert stands(key, text) is there, (key, text)
        if there:  # or it is never looked for
            assert not first_word(key) or first_word(key) in words_in(text), (key, text)


def test_a_key_without_words_is_looked_for_whatever_is_said() -> None:
    assert [first_word(key) for key in ("龍", "!?", "Fog bank", " ")] == ["", "", "fog", ""]


def test_a_pattern_matches_or_gives_up() -> None:
    for pattern, text, cased, found in (
        (r"f.g", "FOG", False, True),
        (r"f.g", "FOG", True, False),
        (r"/f.g/i", "FOG", True, True),
        (r"/f.g/", "FOG", True, False),
        (r"(?P<x", "x", True, False),
        (r"(a+)+$", "a" * 3_000 + "b", True, False),
        (r"(?x)((a{50}) {50}) {50}", "a" * 125_000, True, False),
        (r"((a{,90}){,90}){,90}", "a", True, False),
    ):
        assert matches(pattern, text, cased=cased) is found, (pattern, cased)
