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
    found = entries(*rows)
    taken = lore_plan.taken(found)
    return lore_plan.book("Isle", taken, "Ann", lore_plan.told_always(taken)), list(
        lore_plan.notes(found, taken, taken)
    )


def test_what_is_always_told_needs_no_looking_up() -> None:
    assert planned({"content": "The lamp hums.", "constant": True}) == (None, [])


def test_what_is_always_told_and_too_long_for_the_prompt_can_be_looked_up_and_is_named() -> None:
    book, notes = planned(
        {"content": "Short.", "constant": True, "priority": 9},
        {"content": LONG, "constant": True, "name": "Harbour"},
        {"content": f"@@activate\n{LONG}", "name": "Pier"},
    )
    assert book is not None
    assert (book.entries, "## Harbour" in book.text, "## Pier" in book.text, "Short." in book.text) == (
        2, True, True, False,
    )  # fmt: skip
    assert notes == [
        f"Always told, and too long together for every prompt ({Budgets().lore} tokens for lore): Harbour, Pier. "
        "What doesn’t fit is found in the knowledge base, by what it says."
    ]


def test_what_is_too_long_to_act_is_only_kept() -> None:
    book, notes = planned({"content": "word " * 5_000, "constant": True, "name": "Saga"})
    assert book is None
    assert [note[:68] for note in notes] == ["0 of 1 entries act. The others are kept for export only. At most 2,0"]


def test_what_is_told_by_chance_elsewhere_is_named() -> None:
    sometimes, never = ({"extensions": {"probability": percent}} for percent in (40, 0))
    book, notes = planned({"content": "Fog.", "name": "Fog"} | sometimes, {"content": "Gulls."} | never)
    assert (book, len(notes)) == (None, 1)
    assert notes[0].endswith("(a probability below 100) are told whenever a key of theirs is said: Fog.")


def test_a_base_knows_the_character_and_no_person() -> None:
    book, _ = planned({"keys": ["lamp"], "content": "{{CHAR}} and {{char}} wait for {{user}}.", "name": "{{Char}}"})
    assert book is not None
    assert book.text == "# Isle\n\n## Ann\n\nAnn and Ann wait for {{user}}.\n"


def test_keys_that_never_match_are_named() -> None:
    _, notes = planned({"keys": ["(", r"fog\d"], "use_regex": True}, {"keys": ["("]})
    assert notes == ["Keys that are no regular expressions, or too large ones, and never match: (."]


def test_the_budget_of_a_lorebook_counts_in_what_is_always_told() -> None:
    rows = [{"keys": [], "content": f"{name} {'hums ' * 20}", "constant": True} for name in ("Lamp", "Horn")]
    lore = books.lore_of({"token_budget": 60, "entries": rows})
    assert [entry.token_budget for entry in lore] == [60, 60]
    assert len(lore_plan.told_always(lore)) == 1
    assert [books.lore_of({"token_budget": odd, "entries": rows})[0].token_budget for odd in ("9", -1, None, 1e12)] == [
        0, 0, 0, 1_000_000,
    ]  # fmt: skip
