"""Lorebooks, inside a card or as files of their own.

Such a file is version 3's `lorebook_v3`, a bare book as a card has it, or SillyTavern's world info.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from characters.cards import entries, reading
from characters.cards.entries import CARD, WORLD, Shape
from characters.cards.errors import CardError
from characters.cards.reading import Json
from characters.domain.sheet import LoreEntry

SPEC = "lorebook_v3"
PREFIX = "l"
"""What the ids of a card's own entries begin with; a number follows."""
UNNAMED = "Lorebook"


@dataclass(frozen=True, slots=True)
class Lorebook:
    """A lorebook as it came: the whole file, and the shape of its entries."""

    raw: Json

    @property
    def book(self) -> Json:
        """The part with the entries."""
        book: Json = self.raw["data"] if self.raw.get("spec") == SPEC else self.raw
        return book

    @property
    def shape(self) -> Shape:
        return WORLD if isinstance(self.book["entries"], dict) or _is_world(self.book["entries"]) else CARD

    @property
    def name(self) -> str:
        name = self.book.get("name")
        return name.strip()[:100] if isinstance(name, str) and name.strip() else UNNAMED


def _is_world(rows: Sequence[Json]) -> bool:
    return any("key" in row and "keys" not in row for row in rows)


def read(raw: Json) -> Lorebook | None:
    """The lorebook in a file's JSON; None for something else. Raises `CardError` for a broken one."""
    if raw.get("spec") not in (None, SPEC) or (raw.get("spec") is None and "entries" not in raw):
        return None
    book = raw.get("data") if raw.get("spec") == SPEC else raw
    rows = book.get("entries") if isinstance(book, dict) else None
    if not isinstance(rows, dict | list) or not all(isinstance(row, dict) for row in _rows(rows)):
        raise CardError("The lorebook must have `entries`, a list.")
    if len(rows) > reading.MAX_ENTRIES:
        raise CardError(f"The lorebook has {len(rows)} entries; at most {reading.MAX_ENTRIES} are taken.")
    for place, row in enumerate(_rows(rows), start=1):
        if not isinstance(row.get("content") or "", str):
            raise CardError(f"Entry {place} of the lorebook must have `content`, a text.")
    reading.check_storable(raw)
    return Lorebook(raw)


def _rows(rows: Any) -> list[Any]:
    return list(rows.values()) if isinstance(rows, dict) else list(rows)


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
    keys = list(rows) if isinstance(rows, dict) else list(range(len(rows)))
    kept: dict[Any, Json] = {}
    for place, key in enumerate(keys, start=1):
        changed = _changed(rows[key], f"{prefix}{place}", old, new, shape, made)
        if changed is not None:
            kept[key] = changed
    added = [entry for entry in after if entry.id not in old]
    for entry in added:
        kept[_free(kept)] = entries.written(entry, shape, was=None, row=None, book=made)
    made["entries"] = {str(key): row for key, row in kept.items()} if isinstance(rows, dict) else list(kept.values())
    return made


def _changed(
    row: Json, id: str, old: Mapping[str, LoreEntry], new: Mapping[str, LoreEntry], shape: Shape, book: Json
) -> Json | None:
    if id not in old or old[id] == new.get(id):
        return row
    return entries.written(new[id], shape, was=old[id], row=row, book=book) if id in new else None


def _free(kept: Mapping[Any, Json]) -> int:
    return max((int(key) for key in kept if str(key).isdecimal()), default=-1) + 1


def same_entries(book: Json | None, other: Json | None) -> dict[str, str]:
    """Of two books of one character the entries that are the same one: by the id in the first the id in the second.

    That they stand at the same place, or have the same number, says nothing: each program counts anew.
    """
    left, right = (
        list(zip(lore_of(each), _rows(each["entries"]) if each else [], strict=True)) for each in (book, other)
    )
    found: dict[str, str] = {}
    for likeness in _LIKENESSES:
        free: dict[Any, list[str]] = {}
        matched = set(found.values())
        for entry, row in right:
            if entry.id not in matched:
                free.setdefault(likeness(entry, row), []).append(entry.id)
        for entry, row in left:
            like = likeness(entry, row)
            if entry.id not in found and any(like) and free.get(like):
                found[entry.id] = free[like].pop(0)
    return found


def _number(row: Json) -> str:
    found = next((row[name] for name in ("id", "uid") if row.get(name) is not None), "")
    return str(found)


_LIKENESSES: tuple[Callable[[LoreEntry, Json], tuple[Any, ...]], ...] = (
    lambda entry, row: (entry.content.strip(), entry.keys, _number(row)),
    lambda entry, _: (entry.content.strip(), entry.keys),
    lambda entry, _: (entry.content.strip(),),
    lambda entry, row: (_number(row), entry.name, entry.keys) if _number(row) and (entry.name or entry.keys) else (),
)
"""What two entries must have alike, the surest first."""
