"""Lorebooks, inside a card or as files of their own.

Such a file is version 3's `lorebook_v3`, a bare book as a card has it, or SillyTavern's world info.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from characters.cards import entries
from characters.cards.card import Json, check_book
from characters.cards.entries import CARD, WORLD, Shape
from characters.domain.sheet import LoreEntry
from characters.profiles.documents import MAX_NAME
from kgadmin.rest.actions import Refused

SPEC = "lorebook_v3"
PREFIX = "l"
"""What the ids of a card's own entries begin with; a number follows."""
UNNAMED = "Lorebook"


@dataclass(frozen=True, slots=True)
class Lorebook:
    """A lorebook as it came: its file's full JSON."""

    raw: Json

    @property
    def book(self) -> Json:
        """The part with the entries."""
        book: Json = self.raw["data"] if self.raw.get("spec") == SPEC else self.raw
        return book

    @property
    def shape(self) -> Shape:
        """How its entries are written."""
        is_world = isinstance(self.book["entries"], dict) or any("key" in row for row in self.book["entries"])
        return WORLD if is_world else CARD

    @property
    def name(self) -> str:
        """Its title."""
        return title_of(self.book) or UNNAMED


def lorebook_of(raw: Json) -> Lorebook | None:
    """The lorebook in a file's JSON; None for something else. Raises `Refused` for a broken one."""
    if raw.get("spec") not in (None, SPEC) or (raw.get("spec") is None and "entries" not in raw):
        return None
    book = raw.get("data") if raw.get("spec") == SPEC else raw
    entries = book.get("entries") if isinstance(book, dict) else None
    if not isinstance(entries, dict | list):
        raise Refused("The lorebook has no `entries`.")
    check_book(_rows(entries))
    return Lorebook(raw)


def title_of(book: Any) -> str:
    """A book's name on one line, as long as a base's name may be; empty where it has none."""
    name = book.get("name") if isinstance(book, dict) else None
    return " ".join(name.split())[:MAX_NAME] if isinstance(name, str) else ""


def _rows(entries: Any) -> list[Any]:
    return list(entries.values()) if isinstance(entries, dict) else list(entries)


def lore_of(book: Json | None, shape: Shape = CARD, prefix: str = PREFIX) -> tuple[LoreEntry, ...]:
    """A book's entries as a sheet has them, by their place."""
    rows = _rows(book.get("entries") or []) if book else []
    return tuple(
        entries.read(row, shape, id=f"{prefix}{place}", book=book or {}) for place, row in enumerate(rows, start=1)
    )


def merged(
    book: Json | None,
    before: Sequence[LoreEntry],
    after: Sequence[LoreEntry],
    *,
    shape: Shape = CARD,
    prefix: str = PREFIX,
    name: str = "",
) -> Json | None:
    """The book with what has changed since `before`: entries changed, gone and new. None where there never was one.

    An entry of the book that isn't in `before` wasn't taken, and stays.
    """
    if book is None and not after:
        return None
    made: Json = deepcopy(book) if book is not None else {"name": name, "extensions": {}, "entries": []}
    rows = made.get("entries") or []
    old, new = {entry.id: entry for entry in before}, {entry.id: entry for entry in after}
    merged: dict[Any, Json] = {}
    for place, key in enumerate(rows if isinstance(rows, dict) else range(len(rows)), start=1):
        id = f"{prefix}{place}"
        if id not in old or old[id] == new.get(id):
            merged[key] = rows[key]
        elif id in new:
            merged[key] = entries.written(new[id], shape, was=old[id], row=rows[key], book=made)
    for entry in after:
        if entry.id not in old:
            free = max((int(key) for key in merged if str(key).isdecimal()), default=-1) + 1
            merged[free] = entries.written(entry, shape, was=None, row=None, book=made)
    made["entries"] = {str(key): row for key, row in merged.items()} if isinstance(rows, dict) else [*merged.values()]
    return made
