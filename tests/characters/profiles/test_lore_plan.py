"""Which entries of a lorebook can be looked up, and what the preview says of those that no prompt has room for."""

from typing import Any

from characters.cards import books
from characters.domain.sheet import LoreEntry
from characters.profiles import lore_plan
from characters.profiles.lore_plan import Book
from characters.turn.request import Budgets

LONG = "The harbour takes six boats. " * 80


def entries(*rows: dict[str, Any]) -> tuple[LoreEntry, ...]:
    return books.lore_of({"entries": [{"keys": [], "content": "x"} | row for row in rows]})


def planned(*rows: dict[str, Any]) -> tuple[Book | None, list[str]]:
    listed = entries(*rows)
    taken = lore_plan.taken(listed)
    book = lore_plan.book("Isle", taken, "Ann", lore_plan.always_in_prompt(taken))
    return book, list(lore_plan.notes(listed, taken, taken))


def test_what_is_always_told_and_too_long_for_the_prompt_can_be_looked_up_and_is_named() -> None:
    book, notes = planned(
        {"content": "Short.", "constant": True, "priority": 9},
        {"content": LONG, "constant": True, "name": "Harbour"},
        {"content": f"@@activate\n{LONG}", "name": "Pier"},
    )
    assert book is not None
    assert (book.entries, "## Harbour" in book.text, "## Pier" in book.text) == (3, True, True)
    assert notes == [
        f"Always included, but together too long for every prompt ({Budgets().lore} tokens for lore): "
        "Short. …, Harbour, Pier. What doesn’t fit can still be found in the knowledge base."
    ]


def test_a_base_knows_the_character_and_no_person() -> None:
    book, _ = planned({"keys": ["lamp"], "content": "{{CHAR}} and {{char}} wait for {{user}}.", "name": "{{Char}}"})
    assert book is not None
    assert book.text == "# Isle\n\n## Ann\n\nAnn and Ann wait for {{user}}.\n"
