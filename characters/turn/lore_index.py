"""A lorebook as a turn searches it: entries with their decorators read, by the words that must be said for them."""

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from characters.domain.sheet import LoreEntry
from characters.turn.lore_keys import first_word, pattern

ACTING = frozenset(
    "activate dont_activate activate_only_after activate_only_every "
    "scan_depth additional_keys exclude_keys position".split()
)
PREPARING_SECONDS = 0.5
"""For reading regular expressions once, when a sheet's lore is read; the others are read when they are tried."""
ALWAYS = "always told"
CONDITIONS = frozenset("dont_activate activate_only_after activate_only_every additional_keys exclude_keys".split())
_DECORATOR = re.compile(r"@@(@?)([a-z_]+)(?:[ \t]+(.*))?$")


@dataclass(frozen=True, slots=True)
class ActiveLore:
    """An entry that goes into the prompt if there is room, and why."""

    id: str
    name: str
    text: str
    why: str
    before: bool
    """Whether it stands before the others ("before_char")."""
    order: float
    priority: float
    book: str = ""
    token_budget: int = 0

    @property
    def weight(self) -> tuple[bool, float]:
        """The lower, the sooner it gets room: what is always told first, then by priority."""
        return self.why != ALWAYS, -self.priority


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry, its decorators read."""

    entry: LoreEntry
    text: str
    says: Mapping[str, str]

    @property
    def depth(self) -> int:
        return number_in(self.says.get("scan_depth"), self.entry.scan_depth)

    @property
    def before(self) -> bool:
        by_decorator = {"before_desc": True, "after_desc": False}.get(self.says.get("position", ""))
        return self.entry.position == "before_char" if by_decorator is None else by_decorator


class Index:
    """A sheet's entries, found by the words that must be said for them."""

    def __init__(self, entries: Sequence[LoreEntry]) -> None:
        known = (read(entry) for entry in entries if entry.enabled and entry.probability > 0)
        self.entries = [each for each in known if each.text]
        self.is_recursive = any(each.entry.recursive for each in self.entries)
        self.always: dict[int, ActiveLore] = {}
        self.by_word: dict[str, list[int]] = {}
        self.whatever_is_said: list[int] = []
        for place, each in enumerate(self.entries):
            if is_always(each.entry, each.says):
                self.always[place] = called_up(each, ALWAYS)
                continue
            words = {first_word(key) for key in each.entry.keys}
            if each.entry.constant or each.entry.use_regex or "activate" in each.says or "" in words:
                self.whatever_is_said.append(place)
                continue
            for word in words:
                self.by_word.setdefault(word, []).append(place)
        self._read_patterns()

    def _read_patterns(self) -> None:
        end = time.perf_counter() + PREPARING_SECONDS
        for place in self.whatever_is_said:
            entry = self.entries[place].entry
            for key in entry.keys if entry.use_regex else ():
                if time.perf_counter() > end:
                    return
                pattern(key, cased=entry.case_sensitive)

    def possible(self, words: Iterable[str]) -> Iterator[tuple[int, Entry]]:
        """Those that may be called up, with their places, in their order. What is always told isn't among them."""
        found = (place for word in words for place in self.by_word.get(word, ()))
        return ((place, self.entries[place]) for place in sorted({*self.whatever_is_said, *found}))


@lru_cache(maxsize=16)
def index_of(entries: tuple[LoreEntry, ...]) -> Index:
    """The entries of a sheet, read once for all turns in which she has it (to know 2,000 again takes .3 ms)."""
    return Index(entries)


def called_up(each: Entry, why: str) -> ActiveLore:
    """The entry as the prompt tells it."""
    entry = each.entry
    priority = entry.order if entry.priority is None else entry.priority
    name = entry.name or next(iter(entry.keys), "") or entry.id
    where = (entry.book, entry.token_budget)
    return ActiveLore(entry.id, name, each.text, why, each.before, entry.order, priority, *where)


def parsed(content: str) -> tuple[dict[str, str], str, tuple[str, ...]]:
    """Decorators that act, by name; the content without any; and the names of those that do nothing here."""
    says: dict[str, str] = {}
    idle: list[str] = []
    lines = content.splitlines()
    start, acted = 0, False
    for line in lines:
        found = _DECORATOR.match(line.strip())
        if not found and line.strip():
            break
        start += 1
        if not found:
            continue
        is_fallback, name, value = bool(found[1]), found[2], (found[3] or "").strip()
        if is_fallback and acted:
            continue
        acted = name in ACTING
        if acted:
            says.setdefault(name, value)
        else:
            idle.append(name)
    return says, "\n".join(lines[start:]).strip(), tuple(idle)


def read(entry: LoreEntry) -> Entry:
    """The entry, its decorators read."""
    says, text, _ = parsed(entry.content)
    return Entry(entry, text, says)


def is_always(entry: LoreEntry, says: Mapping[str, str]) -> bool:
    """Whether it is told whatever is said, and however far the conversation is; `says` are its decorators."""
    return (entry.constant or "activate" in says) and CONDITIONS.isdisjoint(says)


def number_in(text: str | None, otherwise: int) -> int:
    """The number that a decorator says."""
    return int(text) if text is not None and text.isdecimal() and len(text) < 6 else otherwise
