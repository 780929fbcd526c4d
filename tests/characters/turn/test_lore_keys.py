"""Keys of lore that are patterns: how they match, and that none is searched for ever."""

from characters.turn.lore_keys import matches


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
