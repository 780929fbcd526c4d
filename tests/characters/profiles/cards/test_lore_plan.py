"""Which entries of a lorebook can be looked up, and what the preview says of those that no prompt has room for."""

from typing import Any

from characters.profiles.cards import books, lore_plan
from characters.profiles.cards.lore_plan import Book
from characters.turn.request import Budgets
from characters.turn.sheet import LoreEntry

LONG = "The harbour takes six boats. " * 80


def entries(*rows: dict[str, Any]) -> tuple[LoreEntry, ...]:
    return books.lore_of({"entries": [{"keys": [], "content": "x"} | row for row in rows]})


def planned(*rows: dict[str, Any]) -> tuple[Book | None, list[str]]:
    found = entries(*rows)
    taken = lore_plan.taken(found)
    return lore_plan.book("Isle", found, "Ann"), list(lore_plan.notes(found, taken, taken))


def test_what_is_always_told_can_be_looked_up_too_for_a_later_book_may_take_its_room() -> None:
    book, notes = planned({"content": "The lamp hums.", "constant": True})
    assert book is not None
    assert (book.entries, notes) == (1, [])


def test_what_is_always_told_and_too_long_for_the_prompt_can_be_looked_up_and_is_named() -> None:
    book, notes = planned(
        {"content": "Short.", "constant": True, "priority": 9},
        {"content": LONG, "constant": True, "name": "Harbour"},
        {"content": f"@@activate\n{LONG}", "name": "Pier"},
    )
    assert book is not None
    assert (book.entries, "## Harbour" in book.text, "## Pier" in book.text, "Short." in book.text) == (
        3, True, True, True,
    )  # fmt: skip
    assert notes == [
        f"Always told, and too long together for every prompt ({Budgets().lore} tokens for lore): Harbour, Pier. "
        "What doesn’t fit is found in the knowledge base, by what it says."
    ]


def test_what_is_too_long_to_act_at_all_can_be_looked_up() -> None:
    book, notes = planned({"content": "word " * 5_000, "constant": True, "name": "Saga"})
    assert book is not None
    assert book.text.startswith("# Isle\n\n## Saga\n\nword word")
    assert notes[0].startswith("0 of 1 entries act. Of the others, those that aren’t switched off are in the knowledge")
    assert notes[1].startswith("Always told, and too long")


def test_what_is_told_only_sometimes_can_be_looked_up() -> None:
    book, _ = planned({"content": "@@activate_only_after 9\nThe lamp hums.", "constant": True})
    assert book is not None
    assert planned({"content": "It hums.", "constant": True, "enabled": False})[0] is None


def test_a_base_knows_the_character_and_no_person() -> None:
    book, _ = planned({"keys": ["lamp"], "content": "{{CHAR}} and {{char}} wait for {{user}}.", "name": "{{Char}}"})
    assert book is not None
    assert book.text == "# Isle\n\n## Ann\n\nAnn and Ann wait for {{user}}.\n"


def test_keys_that_never_match_are_named() -> None:
    _, notes = planned({"keys": ["(", r"fog\d"], "use_regex": True}, {"keys": ["("]})
    assert notes == ["Keys that are no regular expressions, or too large ones, and never match: (."]
