"""Read and write lorebooks, in a card or a file: `lorebook_v3`, a card's bare book, or SillyTavern's world info."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from characters.cards.card import Json, check_book
from characters.domain.sheet import LoreEntry
from characters.profiles.documents import MAX_LORE_NAME, MAX_NAME
from kgadmin.rest.actions import Refused

SPEC = "lorebook_v3"
PREFIX = "l"
"""Prefix of the ids of a card's own entries; a number follows."""
UNNAMED = "Lorebook"
OURS = "kgadmin"
"""Our key among a card's extensions."""
MAX_SCAN_DEPTH = 1_000
MAX_TOKENS = 1_000_000
MAX_NUMBER = 1e15
_ORDER = 100.0


@dataclass(frozen=True, slots=True)
class Shape:
    """Mapping of a `LoreEntry` to a kind of file: each field's key, and functions that convert values."""

    keys: Mapping[str, str]
    to_file: Mapping[str, Callable[[Any], Any]]
    required: Json
    """Keys that a new entry must have, with defaults."""


_SAME_NAMES = "content name keys secondary_keys selective constant case_sensitive use_regex enabled priority position"
CARD = Shape(
    keys={field: field for field in _SAME_NAMES.split()} | {"order": "insertion_order"},
    to_file={},
    required={"keys": [], "content": "", "extensions": {}, "enabled": True, "insertion_order": 100, "use_regex": False},
)
WORLD = Shape(
    keys={
        "content": "content",
        "name": "comment",
        "keys": "key",
        "secondary_keys": "keysecondary",
        "selective": "selective",
        "constant": "constant",
        "case_sensitive": "caseSensitive",
        "enabled": "disable",
        "order": "order",
        "position": "position",
        "scan_depth": "scanDepth",
    },
    to_file={
        "enabled": lambda value: not value,
        "position": lambda value: 0 if value == "before_char" else 1,
    },
    required={"key": [], "content": "", "order": 100, "disable": False},
)


def read_entry(row: Json, shape: Shape, *, id: str, book: Json) -> LoreEntry:
    """Return a file's entry as one of a sheet. A value of the wrong type counts as left out."""
    values = {field: row.get(key) for field, key in shape.keys.items()}
    ours = _ours(row)
    flags = {name: bool(values.get(name)) for name in ("selective", "constant", "case_sensitive", "use_regex")}
    depths = (ours.get("scan_depth"), values.get("scan_depth"), book.get("scan_depth"), book.get("scanDepth"))
    depth = next((number for value in depths if (number := _number(value, None)) is not None), None)
    budget = ours.get("token_budget", book.get("token_budget", book.get("tokenBudget")))
    dice = row if shape is WORLD else extensions_of(row)  # SillyTavern's; the specification has no probability
    return LoreEntry(
        id=id,
        content=_text(values["content"]),
        name=(_text(values["name"]) or _text(row.get("comment")))[:MAX_LORE_NAME],
        keys=_texts(values["keys"]),
        secondary_keys=_texts(values["secondary_keys"]),
        **flags,
        enabled=not row.get("disable") if shape is WORLD else values["enabled"] is not False,
        order=_number(values["order"], _ORDER),
        priority=_number(values.get("priority"), None),
        position="before_char" if values["position"] in ("before_char", "before_char_defs", 0) else "after_char",
        scan_depth=int(_within(depth, MAX_SCAN_DEPTH, LoreEntry("", "").scan_depth)),
        recursive=bool(ours.get("recursive", book.get("recursive_scanning", book.get("recursiveScanning")))),
        token_budget=int(_within(budget, MAX_TOKENS, 0)),
        probability=_within(None if dice.get("useProbability") is False else dice.get("probability"), 100, 100),
    )


def written_entry(entry: LoreEntry, shape: Shape, *, was: LoreEntry | None, row: Json | None, book: Json) -> Json:
    """Return the entry as the file's JSON: the original `row` with what has changed since `was`, or a new one."""
    made: Json = dict(row) if row is not None else {}
    for field, key in shape.keys.items():
        value = getattr(entry, field)
        if was is None or value != getattr(was, field):
            plain = list(value) if isinstance(value, tuple) else value
            made[key] = shape.to_file.get(field, _without_fraction)(plain)
    if entry.priority is None and made.get("priority", 0) is None:
        del made["priority"]
    before = was or read_entry({}, CARD, id="", book=book)  # a new entry inherits the book's values
    for field in ("scan_depth", "recursive", "token_budget"):
        if field not in shape.keys and getattr(entry, field) != getattr(before, field):
            made["extensions"] = extensions_of(made) | {OURS: _ours(made) | {field: getattr(entry, field)}}
    if entry.probability != before.probability:
        dice = {"probability": _without_fraction(entry.probability), "useProbability": True}
        made |= dice if shape is WORLD else {"extensions": extensions_of(made) | dice}
    return made if row is not None else dict(shape.required) | made


def _without_fraction(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _ours(row: Json) -> Json:
    ours = extensions_of(row).get(OURS)
    return ours if isinstance(ours, dict) else {}


def extensions_of(row: Json) -> Json:
    """Return a copy of the extensions; a value there that isn't an object is kept under "extensions"."""
    extensions = row.get("extensions")
    if isinstance(extensions, dict):
        return dict(extensions)
    return {} if extensions is None else {"extensions": extensions}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    """Return the texts of a list, or of one text with commas."""
    texts = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(text.strip() for text in texts if isinstance(text, str) and text.strip())


def _number(value: Any, default: float | None) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) < MAX_NUMBER else default


def _within(value: Any, most: float, default: float) -> float:
    return min(max(float(_number(value, default)), 0.0), most)


@dataclass(frozen=True, slots=True)
class Lorebook:
    """A lorebook as imported: its file's full JSON."""

    raw: Json

    @property
    def book(self) -> Json:
        """The part with the entries."""
        book: Json = self.raw["data"] if self.raw.get("spec") == SPEC else self.raw
        return book

    @property
    def shape(self) -> Shape:
        """The shape of the book's entries."""
        is_world = isinstance(self.book["entries"], dict) or any("key" in row for row in self.book["entries"])
        return WORLD if is_world else CARD

    @property
    def name(self) -> str:
        """The book's title, or `UNNAMED`."""
        return title_of(self.book) or UNNAMED


def lorebook_of(raw: Json) -> Lorebook | None:
    """Return the lorebook in a file's JSON; None for something else. Raises `Refused` for a broken one."""
    if raw.get("spec") not in (None, SPEC) or (raw.get("spec") is None and "entries" not in raw):
        return None
    book = raw.get("data") if raw.get("spec") == SPEC else raw
    entries = book.get("entries") if isinstance(book, dict) else None
    if not isinstance(entries, dict | list):
        raise Refused("The lorebook has no `entries`.")
    check_book(_rows(entries))
    return Lorebook(raw)


def title_of(book: Any) -> str:
    """Return a book's name on one line, cut to what a base's name may have; empty if it has none."""
    name = book.get("name") if isinstance(book, dict) else None
    return " ".join(name.split())[:MAX_NAME] if isinstance(name, str) else ""


def _rows(entries: Any) -> list[Any]:
    return list(entries.values()) if isinstance(entries, dict) else list(entries)


def lore_of(book: Json | None, shape: Shape = CARD, prefix: str = PREFIX) -> tuple[LoreEntry, ...]:
    """Return a book's entries as a sheet has them; their ids number their places."""
    rows = _rows(book.get("entries") or []) if book else []
    return tuple(
        read_entry(row, shape, id=f"{prefix}{place}", book=book or {}) for place, row in enumerate(rows, start=1)
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
    """Return the book with entries changed, removed and added since `before`; None if there is no book and no entry.

    An entry of the book that isn't in `before` wasn't imported, and stays.
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
            merged[key] = written_entry(new[id], shape, was=old[id], row=rows[key], book=made)
    for entry in after:
        if entry.id not in old:
            free = max((int(key) for key in merged if str(key).isdecimal()), default=-1) + 1
            merged[free] = written_entry(entry, shape, was=None, row=None, book=made)
    made["entries"] = {str(key): row for key, row in merged.items()} if isinstance(rows, dict) else [*merged.values()]
    return made
