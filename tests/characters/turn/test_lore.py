"""Lore: which entries are called up, by what, in which order; and what an odd entry can't do."""

from dataclasses import replace
from typing import Any

from characters.domain.sheet import LoreEntry
from characters.turn.lore import active, matches
from characters.turn.request import HistoryMessage, TurnRequest
from tests.characters.turn.world import OSKAR, request


def entry(content: str = "It comes at four.", *, id: str = "l1", **fields: Any) -> LoreEntry:
    return LoreEntry(id, content, **({"keys": ("fog",)} | fields))


def asked(message: str, *entries: LoreEntry, **fields: Any) -> TurnRequest:
    return request(message, sheet=replace(OSKAR, lore=entries), **fields)


def called(message: str, *entries: LoreEntry, **fields: Any) -> list[str]:
    return [each.id for each in active(asked(message, *entries, **fields)).entries]


BY_KEYS: list[tuple[str, dict[str, Any], bool]] = [
    ("Is there fog tonight?", {}, True),
    ("the foghorn", {}, False),
    ("fog", {"case_sensitive": True, "keys": ("Fog",)}, False),
    ("the Fog", {"case_sensitive": True, "keys": ("Fog",)}, True),
    ("nothing", {"constant": True}, True),
    ("fog", {"enabled": False, "constant": True}, False),
    ("fog", {"selective": True, "secondary_keys": ("sea",)}, False),
    ("fog at sea", {"selective": True, "secondary_keys": ("sea",)}, True),
    ("fog", {"selective": False, "secondary_keys": ("sea",)}, True),
    ("火龍の話", {"keys": ("龍",)}, True),
    ("The FOG", {"keys": (r"/^the fog$/i",), "use_regex": True, "case_sensitive": True}, True),
    ("2024-05-06", {"keys": (r"\d{4}-\d{2}-\d{2}",), "use_regex": True}, True),
    ("fog", {"probability": 0, "constant": True}, False),
    ("the keeper’s lamp", {"keys": ("keeper's",)}, True),
    ("the keeper's lamp", {"keys": ("keeper’s",)}, True),
    ("a cafe\u0301", {"keys": ("café",)}, True),
    ("a cafe", {"keys": ("café",)}, False),
]
BY_DECORATORS = [
    ("@@activate", "nothing", True),
    ("@@dont_activate", "fog", False),
    ("@@activate_only_after 1", "fog", True),
    ("@@activate_only_after 9", "fog", False),
    ("@@activate_only_every 2", "fog", False),
    ("@@exclude_keys sea,salt", "fog at sea", False),
    ("@@additional_keys sea,salt", "fog", False),
    ("@@additional_keys sea,salt", "salt fog", True),
    ("@@somebody_elses 4\n@@@dont_activate", "fog", False),
]


def test_an_entry_comes_by_its_keys() -> None:
    for message, fields, comes in BY_KEYS:
        assert bool(called(message, entry(**fields))) is comes, (message, fields)


def test_decorators_act() -> None:
    history = (HistoryMessage("user", "Hello"), HistoryMessage("assistant", "Evening."))
    for decorators, message, comes in BY_DECORATORS:
        result = active(asked(message, entry(f"{decorators}\n\nIt comes."), history=history)).entries
        assert [each.text for each in result] == (["It comes."] if comes else []), (decorators, message)


def test_keys_are_looked_for_in_the_newest_messages_only() -> None:
    history = (HistoryMessage("user", "fog"), HistoryMessage("assistant", "Yes."))
    assert called("And?", entry(scan_depth=3), history=history) == ["l1"]
    assert called("And?", entry(scan_depth=2), history=history) == []
    assert called("And?", entry("@@scan_depth 3\nx", scan_depth=1), history=history) == ["l1"]


def test_they_come_in_the_order_that_their_author_wrote() -> None:
    late, early = entry(id="late", order=200), entry(id="early", order=1)
    before = entry(id="before", order=300, position="before_char")
    moved = entry("@@position before_desc\nx", id="moved")
    assert called("fog", late, early, before, moved) == ["moved", "before", "early", "late"]


def test_an_entry_calls_up_another_only_where_that_lets_it() -> None:
    second = entry("Deep.", id="l2", keys=("four",), recursive=True)
    assert called("fog", entry(), second) == ["l1", "l2"]
    assert called("fog", entry(), replace(second, recursive=False)) == ["l1"]


def test_what_called_it_up_is_said_and_it_can_be_switched_off() -> None:
    result = active(asked("fog", entry(name="Weather"), entry(id="l2", constant=True, keys=()))).entries
    assert [(each.name, each.why) for each in result] == [("Weather", "“fog” was said"), ("l2", "always told")]
    assert called("fog", entry(), off=frozenset({"lore:l1"})) == []


def test_every_pattern_is_tried_and_those_that_never_end_dont_hold_up_a_turn() -> None:
    many = [entry(id=f"l{number}", keys=(rf"\bword{number}\b",), use_regex=True) for number in range(300)]
    result = active(asked("the last one is word299", *many))
    assert ([each.id for each in result.entries], result.untried) == (["l299"], 0)
    evil = [entry(id=f"l{number}", keys=(r"(a+)+$",), use_regex=True) for number in range(500)]
    result = active(asked("a" * 4_000 + "b", *evil))  # one alone would take years
    assert result.entries == ()
    assert 400 < result.untried < 500


def test_what_there_is_no_room_for_calls_up_nothing() -> None:
    second = entry("Deep.", id="l2", keys=("four",), recursive=True)
    assert called("nothing", entry(constant=True), second) == ["l1", "l2"]
    assert called("nothing", entry(f"It comes at four. {'x ' * 9_000}", constant=True), second) == ["l1"]


def test_a_pattern_matches_or_gives_up() -> None:
    for pattern, text, cased, is_match in (
        (r"f.g", "FOG", False, True),
        (r"f.g", "FOG", True, False),
        (r"/f.g/i", "FOG", True, True),
        (r"/f.g/", "FOG", True, False),
        (r"(?P<x", "x", True, False),
        (r"(a+)+$", "a" * 3_000 + "b", True, False),
        (r"(?x)((a{50}) {50}) {50}", "a" * 125_000, True, False),
        (r"((a{,90}){,90}){,90}", "a", True, False),
    ):
        assert matches(pattern, text, cased=cased) is is_match, (pattern, cased)
