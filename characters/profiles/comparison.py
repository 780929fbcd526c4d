"""Differences between two sheets: facts matched by their ids, texts word by word."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from difflib import SequenceMatcher
from typing import Any, Literal

from characters.domain.sheet import Fact, Sheet
from characters.profiles import documents

PARTS = tuple(field.name for field in fields(Sheet) if field.name not in {"facts", "schema"})
ORDER = "order of facts"
LABELS = {
    "identity": "identity text",
    "post_history_instructions": "instructions after the history",
    "runtime_facts": "facts waiting for review",
}
"""Labels of parts whose field name isn't clear."""
MAX_WORDS = 6_000
"""Words of both texts together above which they are compared line by line: by words it would take seconds."""

_WORDS = re.compile(r"\s+|[\w'’]+|[^\w\s]")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of two texts: in both, or in one of them."""

    kind: Literal["same", "added", "removed"]
    text: str


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A fact in both sheets that differs."""

    before: Fact
    after: Fact
    pieces: tuple[Piece, ...]
    """The difference between the objects."""

    @property
    def questions_changed(self) -> bool:
        """Return whether the author changed its questions."""
        return self.before.questions != self.after.questions


@dataclass(frozen=True, slots=True)
class ChangedPart:
    """A part other than the facts: "identity", "personas" ..."""

    name: str
    pieces: tuple[Piece, ...]

    @property
    def label(self) -> str:
        """Return its display name."""
        return LABELS.get(self.name, self.name.replace("_", " "))


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything that publishing a sheet changes."""

    added: tuple[Fact, ...] = ()
    changed: tuple[ChangedFact, ...] = ()
    removed: tuple[Fact, ...] = ()
    elsewhere: tuple[ChangedPart, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.elsewhere)

    @property
    def fact_changes(self) -> list[dict[str, Any]]:
        """Return every fact that differs, by id, as its document rows before and after; None where it is missing."""
        pairs: list[tuple[Fact | None, Fact | None]] = [(None, fact) for fact in self.added]
        pairs += [(fact.before, fact.after) for fact in self.changed] + [(fact, None) for fact in self.removed]
        rows = [[documents.fact_row(fact) if fact else None for fact in pair] for pair in pairs]
        return [{"id": (after or before or {})["id"], "before": before, "after": after} for before, after in rows]

    @property
    def facts(self) -> int:
        """Return how many facts differ."""
        return len(self.added) + len(self.changed) + len(self.removed)

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the display names of the other parts that differ."""
        return tuple(part.label for part in self.elsewhere)


def changes(before: Sheet | None, after: Sheet) -> Changes:
    """Return the differences between two sheets; compared with None, everything is added."""
    old = {fact.id: fact for fact in before.facts} if before else {}
    new = {fact.id: fact for fact in after.facts}
    return Changes(
        added=tuple(fact for fact in after.facts if fact.id not in old),
        changed=tuple(
            ChangedFact(old[fact.id], fact, words(old[fact.id].object, fact.object))
            for fact in after.facts
            if fact.id in old and old[fact.id] != fact
        ),
        removed=tuple(fact for fact in old.values() if fact.id not in new),
        elsewhere=tuple(_elsewhere(before, after)),
    )


def words(before: str, after: str) -> tuple[Piece, ...]:
    """Return the differences of two texts, word by word."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if len(old) + len(new) > MAX_WORDS:
        old, new = _LINES.findall(before), _LINES.findall(after)
    return tuple(_pieces(old, new))


def pieces(before: Any, after: Any) -> tuple[Piece, ...]:
    """Return the differences of two values of a part as text; for lists, only of entries that differ."""
    if isinstance(before or after, list):
        return tuple(_entries(list(before or ()), list(after or ())))
    return words(_text(before), _text(after))


def _entries(before: list[Any], after: list[Any]) -> Iterator[Piece]:
    """Match mappings by id, slug or name, texts by their content."""
    old, new = ({_key(each): each for each in rows} for rows in (before, after))
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) == new.get(key):
            continue
        yield from words(_text(old.get(key)), _text(new.get(key)))
        yield Piece("same", "\n")
    if [key for key in old if key in new] != [key for key in new if key in old]:
        yield Piece("same", "in another order\n")


def _key(entry: Any) -> str:
    if not isinstance(entry, dict):
        return str(entry)
    return str(
        next((entry[name] for name in ("id", "slug", "name") if name in entry), json.dumps(entry, sort_keys=True))
    )


def _pieces(old: list[str], new: list[str]) -> Iterator[Piece]:
    """Diff two lists of words.

    White space between two changes joins them: "a red van" becomes "an old bicycle" in one change, not in three.
    """
    removed = added = ""
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for place, (kind, i, j, k, m) in enumerate(codes, start=1):
        is_between = (removed or added) and place < len(codes) and not "".join(old[i:j]).strip()
        if kind != "equal" or is_between:
            removed, added = removed + "".join(old[i:j]), added + "".join(new[k:m])
            continue
        yield from _changed_piece(removed, added)
        yield Piece("same", "".join(old[i:j]))
        removed = added = ""
    yield from _changed_piece(removed, added)


def _changed_piece(removed: str, added: str) -> Iterator[Piece]:
    if removed:
        yield Piece("removed", removed)
    if added:
        yield Piece("added", added)


def _elsewhere(before: Sheet | None, after: Sheet) -> Iterator[ChangedPart]:
    old, new = (documents.dump(before) if before else {}), documents.dump(after)
    for part in PARTS:
        if old.get(part) != new[part] and (old.get(part) or new[part]):
            yield ChangedPart(part, pieces(old.get(part), new[part]))
    if before and _order(before, after) != _order(after, before):
        yield ChangedPart(ORDER, ())


def _order(sheet: Sheet, other: Sheet) -> list[str]:
    """Return the order of the facts that both have."""
    there = {fact.id for fact in other.facts}
    return [fact.id for fact in sheet.facts if fact.id in there]


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "\n".join(f"{key}: {_line(each)}" for key, each in value.items() if each or isinstance(each, float))
    if isinstance(value, list):
        return "\n".join(_text(each) for each in value)
    return value or ""


def _line(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
