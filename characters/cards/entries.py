"""Entries of a lorebook, as cards have them and as SillyTavern's world-info files have them, and as a sheet has them.

Both ways: what a sheet's entry says is written into an original entry where it has changed, and everything else of
the original stays as it was.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from characters.cards.reading import Json
from characters.domain.sheet import LoreEntry
from characters.profiles.documents import MAX_LORE_NAME

OURS = "kgadmin"
"""Our key among a card's extensions."""
MAX_SCAN_DEPTH = 1_000
MAX_TOKENS = 1_000_000
_ORDER = 100.0


@dataclass(frozen=True, slots=True)
class Shape:
    """How a kind of file writes an entry: by field of a sheet's entry its key, and how values are told and read."""

    keys: Mapping[str, str]
    to_file: Mapping[str, Callable[[Any], Any]]
    required: Json
    """What an entry that is new must have."""


CARD = Shape(
    keys={
        "content": "content",
        "name": "name",
        "keys": "keys",
        "secondary_keys": "secondary_keys",
        "selective": "selective",
        "constant": "constant",
        "case_sensitive": "case_sensitive",
        "use_regex": "use_regex",
        "enabled": "enabled",
        "order": "insertion_order",
        "priority": "priority",
        "position": "position",
    },
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


def read(row: Json, shape: Shape, *, id: str, book: Json) -> LoreEntry:
    """A sheet's entry out of one of a file. What isn't as it should be counts as not said."""
    said = {field: row.get(key) for field, key in shape.keys.items()}
    ours = _ours(row)
    flags = {name: bool(said.get(name)) for name in ("selective", "constant", "case_sensitive", "use_regex")}
    return LoreEntry(
        id=id,
        content=_text(said["content"]),
        name=(_text(said["name"]) or _text(row.get("comment")))[:MAX_LORE_NAME],
        keys=_texts(said["keys"]),
        secondary_keys=_texts(said["secondary_keys"]),
        **flags,
        enabled=not row.get("disable") if shape is WORLD else said["enabled"] is not False,
        order=_number(said["order"], _ORDER),
        priority=_number(said.get("priority"), None),
        position="before_char" if said["position"] in ("before_char", "before_char_defs", 0) else "after_char",
        scan_depth=_depth(
            ours.get("scan_depth"), said.get("scan_depth"), book.get("scan_depth"), book.get("scanDepth")
        ),
        recursive=bool(ours.get("recursive", book.get("recursive_scanning", book.get("recursiveScanning")))),
        token_budget=_budget(ours.get("token_budget", book.get("token_budget", book.get("tokenBudget")))),
        probability=_probability(_dice(row, shape)),
    )


def written(entry: LoreEntry, shape: Shape, *, was: LoreEntry | None, row: Json | None, book: Json) -> Json:
    """The entry in its file's shape: `row`, the original, with what `was` otherwise; or a new one."""
    made: Json = dict(row) if row is not None else {}
    for field, key in shape.keys.items():
        value = getattr(entry, field)
        if was is None or value != getattr(was, field):
            plain = list(value) if isinstance(value, tuple) else value
            made[key] = shape.to_file.get(field, _as_it_is)(plain)
    if entry.priority is None and made.get("priority", 0) is None:
        del made["priority"]
    for field in ("scan_depth", "recursive", "token_budget"):
        if field not in shape.keys and getattr(entry, field) != getattr(was or _plain(book), field):
            made["extensions"] = extensions_of(made) | {OURS: _ours(made) | {field: getattr(entry, field)}}
    if entry.probability != (was or _plain(book)).probability:
        dice = {"probability": _as_it_is(entry.probability), "useProbability": True}
        made |= dice if shape is WORLD else {"extensions": extensions_of(made) | dice}
    return {key: value for key, value in shape.required.items() if key not in made} | made if row is None else made


def _plain(book: Json) -> LoreEntry:
    """What an entry of this book has that says nothing itself."""
    return read({}, CARD, id="", book=book)


def _as_it_is(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _ours(row: Json) -> Json:
    extensions = row.get("extensions")
    ours = extensions.get(OURS) if isinstance(extensions, dict) else None
    return ours if isinstance(ours, dict) else {}


def extensions_of(row: Json) -> Json:
    """To write into; what stands in their place and is no object is kept among them."""
    found = row.get("extensions")
    if isinstance(found, dict):
        return dict(found)
    return {} if found is None else {"extensions": found}


def _dice(row: Json, shape: Shape) -> Json:
    """Where an entry says how probable it is, as SillyTavern does; the specification knows nothing of it."""
    return row if shape is WORLD else extensions_of(row)


def _probability(said: Json) -> float:
    """In percent, within limits."""
    percent: float = _number(said.get("probability"), 100.0)
    return 100.0 if said.get("useProbability") is False else min(max(percent, 0.0), 100.0)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    """A list of texts; the specification of version 3 also has them in one text, with commas."""
    if isinstance(value, str):
        value = value.split(",")
    found: Sequence[Any] = value if isinstance(value, list) else []
    return tuple(each.strip() for each in found if isinstance(each, str) and each.strip())


def _number(value: Any, otherwise: float | None) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) < 1e15 else otherwise  # neither infinite nor no number


def _budget(said: Any) -> int:
    """Tokens; 0 for none that is said, within limits."""
    return int(min(max(_number(said, 0.0), 0), MAX_TOKENS))


def _depth(*said: Any) -> int:
    """The first number of these, within limits; as many messages as usual, where none is."""
    found = next((each for value in said if (each := _number(value, None)) is not None), None)
    return LoreEntry("", "").scan_depth if found is None else int(min(max(found, 0), MAX_SCAN_DEPTH))
