"""Lore: which entries of the character's lorebook do these messages call up?

Entries and decorators as in https://github.com/kwaroran/character-card-spec-v3 (Lorebook). Of the decorators act
those of `ACTING`; any other is passed over, and the first of its fallbacks that acts counts in its place.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

from characters.turn.lore_keys import first, first_word, matches, words_in
from characters.turn.request import TurnRequest
from characters.turn.sheet import LoreEntry

ACTING = frozenset(
    "activate dont_activate activate_only_after activate_only_every "
    "scan_depth additional_keys exclude_keys position".split()
)
MAX_ROUNDS = 3
"""How often entries that were called up are looked through for the keys of others."""
MAX_PATTERNS = 50
"""Regular expressions that are tried in a turn."""
ALWAYS = "always told"

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


@dataclass(frozen=True, slots=True)
class CalledLore:
    """What a trace keeps of an entry that was called up: why, and whether there was room for it."""

    id: str
    name: str
    why: str
    told: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry, its decorators read."""

    entry: LoreEntry
    text: str
    says: Mapping[str, str]

    @property
    def depth(self) -> int:
        return _number(self.says.get("scan_depth"), self.entry.scan_depth)

    @property
    def before(self) -> bool:
        by_decorator = {"before_desc": True, "after_desc": False}.get(self.says.get("position", ""))
        return self.entry.position == "before_char" if by_decorator is None else by_decorator


@dataclass(slots=True)
class _Scanned:
    """The newest messages as texts to look for keys in, and how many patterns were tried."""

    messages: Sequence[str]
    recalled: str = ""
    """What the entries that were called up tell."""
    tried: int = 0
    _texts: dict[tuple[int, bool, bool], str] = field(default_factory=dict)

    def text(self, depth: int, *, cased: bool, recalled: bool) -> str:
        """The newest `depth` messages, joined."""
        key = (depth, cased, recalled)
        if key not in self._texts:
            newest = self.messages[-depth:] if depth > 0 else ()
            joined = "\n".join([*newest, self.recalled] if recalled else newest)
            self._texts[key] = joined if cased else joined.casefold()
        return self._texts[key]

    def recall(self, text: str) -> None:
        self.recalled += f"\n{text}"
        self._texts.clear()


class _Index:
    """A sheet's entries, found by the words that must be said for them."""

    def __init__(self, entries: Sequence[LoreEntry]) -> None:
        read = (_read(entry) for entry in entries if entry.enabled)
        self.entries = [each for each in read if each.text]
        self.by_word: dict[str, list[int]] = {}
        self.whatever_is_said: list[int] = []
        for place, each in enumerate(self.entries):
            words = {first_word(key) for key in each.entry.keys}
            if each.entry.constant or each.entry.use_regex or "activate" in each.says or "" in words:
                self.whatever_is_said.append(place)
                continue
            for word in words:
                self.by_word.setdefault(word, []).append(place)

    def possible(self, words: Iterable[str]) -> list[int]:
        """The places of those that may be called up, in their order."""
        found = (place for word in words for place in self.by_word.get(word, ()))
        return sorted({*self.whatever_is_said, *found})


def active(request: TurnRequest) -> tuple[ActiveLore, ...]:
    """The entries that are called up, in the order in which the prompt tells them."""
    if not request.sheet.lore:
        return ()
    index = _index_of(request.sheet.lore)
    scanned = _Scanned([*(said.text for said in request.history), request.message])
    words = words_in("\n".join(scanned.messages))
    found: dict[int, ActiveLore] = {}
    for _ in range(MAX_ROUNDS):
        possible = {place: index.entries[place] for place in index.possible(words) if place not in found}
        why = {place: _why(each, scanned) for place, each in possible.items() if _may(each, request)}
        called = {place: _active(possible[place], reason) for place, reason in why.items() if reason}
        found |= called
        if not called:
            break
        told = "\n".join(each.text for each in called.values())
        scanned.recall(told)
        words |= words_in(told)
    return tuple(sorted((found[place] for place in sorted(found)), key=lambda each: (not each.before, each.order)))


_INDEXES: dict[int, tuple[tuple[LoreEntry, ...], _Index]] = {}
"""Of the sheets that were read last: a lorebook of thousands of entries is looked through in every turn."""
MOST_INDEXES = 16
_LOCK = Lock()


def _index_of(entries: tuple[LoreEntry, ...]) -> _Index:
    kept = _INDEXES.get(id(entries))
    if kept and kept[0] is entries:
        return kept[1]
    index = _Index(entries)
    with _LOCK:
        while len(_INDEXES) >= MOST_INDEXES:
            del _INDEXES[next(iter(_INDEXES))]
        _INDEXES[id(entries)] = (entries, index)
    return index


def _active(each: _Entry, why: str) -> ActiveLore:
    entry = each.entry
    priority = entry.order if entry.priority is None else entry.priority
    name = entry.name or next(iter(entry.keys), "") or entry.id
    return ActiveLore(entry.id, name, each.text, why, each.before, entry.order, priority)


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


def _read(entry: LoreEntry) -> _Entry:
    says, text, _ = parsed(entry.content)
    return _Entry(entry, text, says)


def _may(each: _Entry, request: TurnRequest) -> bool:
    """Whether nobody has switched it off, and the conversation is as far as the entry wants it."""
    says = each.says
    if request.is_off(f"lore:{each.entry.id}") or ("dont_activate" in says and "activate" not in says):
        return False
    replies = max(request.turn - 1, sum(said.role == "assistant" for said in request.history))
    every = _number(says.get("activate_only_every"), 1)
    return replies >= _number(says.get("activate_only_after"), 0) and (every < 1 or replies % every == 0)


def _why(each: _Entry, scanned: _Scanned) -> str:
    """In a few words why the entry is told; empty where it isn't."""
    entry = each.entry
    if "activate" in each.says:
        return ALWAYS
    if entry.use_regex:
        return _by_pattern(each, scanned)
    text = scanned.text(each.depth, cased=entry.case_sensitive, recalled=entry.recursive)
    if not _is_let(each, text):
        return ""
    key = "" if entry.constant else first(entry.keys, text, entry)
    return ALWAYS if entry.constant else f"“{key}” was said" if key else ""


def _is_let(each: _Entry, text: str) -> bool:
    """Whether the keys that must be said are, and those that mustn't aren't."""
    entry, says = each.entry, each.says
    needed = [_listed(says["additional_keys"])] if says.get("additional_keys") else []
    if entry.selective and entry.secondary_keys and not entry.constant:
        needed.append(list(entry.secondary_keys))
    excluded = first(_listed(says.get("exclude_keys", "")), text, entry)
    return not excluded and all(first(keys, text, entry) for keys in needed)


def _by_pattern(each: _Entry, scanned: _Scanned) -> str:
    text = scanned.text(each.depth, cased=True, recalled=each.entry.recursive)
    for key in each.entry.keys:
        scanned.tried += 1
        if scanned.tried > MAX_PATTERNS:
            return ""
        if matches(key, text, cased=each.entry.case_sensitive):
            return f"“{key}” matches"
    return ""


def _listed(text: str) -> list[str]:
    return [part for part in text.split(",") if part.strip()]


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) < 6 else otherwise
