"""Lore: which entries of the character's lorebook do these messages call up?

Entries and decorators as in https://github.com/kwaroran/character-card-spec-v3 (Lorebook). Of the decorators act
those of `lore_index.ACTING`; any other is passed over, and the first of its fallbacks that acts counts in its place.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from characters.domain.sheet import LoreEntry
from characters.turn.lore_index import ALWAYS, ActiveLore, Entry, called_up, index_of, number_in
from characters.turn.lore_keys import PATTERN_SECONDS, first, matches, plain, words_in
from characters.turn.request import TurnRequest

MAX_ROUNDS = 3
"""How often entries that were called up are looked through for the keys of others."""
PATTERNS_SECONDS = 0.1
"""For all regular expressions of a turn; those that there was no time for are counted."""
CHARACTERS_A_TOKEN = 8
"""At most, in what is looked through for the keys of others: what there is no room for calls up nothing."""


@dataclass(frozen=True, slots=True)
class Lore:
    """The entries that are called up, in the order in which the prompt tells them."""

    entries: tuple[ActiveLore, ...] = ()
    untried: int = 0
    """Regular expressions that there was no time for."""


@dataclass(frozen=True, slots=True)
class CalledLore:
    """What a trace keeps of an entry that was called up: why, and whether there was room for it."""

    id: str
    name: str
    why: str
    told: bool


@dataclass(slots=True)
class _Scanned:
    """The newest messages as texts to look for keys in, and what is left of the time for patterns."""

    messages: Sequence[str]
    recalled: str = ""
    """What the entries that were called up tell."""
    seconds: float = PATTERNS_SECONDS
    untried: set[tuple[str, str]] = field(default_factory=set)
    """Entry and key."""
    _texts: dict[tuple[int, bool | None, bool], str] = field(default_factory=dict)

    def text(self, depth: int, *, cased: bool, recalled: bool) -> str:
        """The newest `depth` messages, joined, to look for keys in."""
        key = (depth, cased, recalled)
        if key not in self._texts:
            joined = plain(self.as_said(depth, recalled=recalled))
            self._texts[key] = joined if cased else joined.casefold()
        return self._texts[key]

    def as_said(self, depth: int, *, recalled: bool) -> str:
        """The same for patterns, which are for the letters as they are."""
        key = (depth, None, recalled)
        if key not in self._texts:
            newest = self.messages[-depth:] if depth > 0 else ()
            self._texts[key] = "\n".join([*newest, self.recalled] if recalled else newest)
        return self._texts[key]

    def recall(self, text: str) -> None:
        self.recalled += f"\n{text}"
        self._texts.clear()

    def matches(self, entry: LoreEntry, key: str, text: str) -> bool:
        """Whether the pattern matches. Once the time is up, none is tried any more."""
        if self.seconds <= 0:
            self.untried.add((entry.id, key))
            return False
        start = time.perf_counter()
        found = matches(key, text, cased=entry.case_sensitive, seconds=min(PATTERN_SECONDS, self.seconds))
        self.seconds -= time.perf_counter() - start
        return found


def active(request: TurnRequest) -> Lore:
    """The entries that are called up."""
    if not request.sheet.lore:
        return Lore()
    index = index_of(request.sheet.lore)
    scanned = _Scanned([*(said.text for said in request.history), request.message])
    words = words_in("\n".join(scanned.messages))
    found = {place: each for place, each in index.always.items() if not request.is_off(f"lore:{each.id}")}
    called = found
    for number in range(MAX_ROUNDS):
        if index.is_recursive and called:
            told = _as_far_as_told(called.values(), request.budgets.lore * CHARACTERS_A_TOKEN)
            scanned.recall(told)
            words |= words_in(told)
        possible = {place: each for place, each in index.possible(words) if place not in found}
        if number:
            possible = {place: each for place, each in possible.items() if each.entry.recursive}
        called = _called(possible, scanned, request)
        found |= called
        if not called or not index.is_recursive:
            break
    in_order = sorted((found[place] for place in sorted(found)), key=lambda each: (not each.before, each.order))
    return Lore(tuple(in_order), len(scanned.untried))


def _called(possible: Mapping[int, Entry], scanned: _Scanned, request: TurnRequest) -> dict[int, ActiveLore]:
    """Those of these entries that are called up, by their place."""
    why = {place: _why(each, scanned) for place, each in possible.items() if _may(each, request)}
    return {place: called_up(possible[place], reason) for place, reason in why.items() if reason}


def _as_far_as_told(called: Iterable[ActiveLore], room: int) -> str:
    """What these entries say, as far as a prompt could have room for it."""
    told = []
    for each in sorted(called, key=lambda each: each.weight):
        if len(each.text) <= room:
            told.append(each.text)
            room -= len(each.text)
    return "\n".join(told)


def _may(each: Entry, request: TurnRequest) -> bool:
    """Whether nobody has switched it off, and the conversation is as far as the entry wants it."""
    says = each.says
    if request.is_off(f"lore:{each.entry.id}") or ("dont_activate" in says and "activate" not in says):
        return False
    replies = max(request.turn - 1, sum(said.role == "assistant" for said in request.history))
    every = number_in(says.get("activate_only_every"), 1)
    return replies >= number_in(says.get("activate_only_after"), 0) and (every < 1 or replies % every == 0)


def _why(each: Entry, scanned: _Scanned) -> str:
    """In a few words why the entry is told; empty where it isn't."""
    entry = each.entry
    if "activate" in each.says:
        return ALWAYS
    if entry.use_regex and not entry.constant:
        return _by_pattern(each, scanned)
    text = scanned.text(each.depth, cased=entry.case_sensitive, recalled=entry.recursive)
    if not _is_let(each, text):
        return ""
    key = "" if entry.constant else first(entry.keys, text, entry)
    return ALWAYS if entry.constant else f"“{key}” was said" if key else ""


def _is_let(each: Entry, text: str) -> bool:
    """Whether the keys that must be said are, and those that mustn't aren't."""
    entry, says = each.entry, each.says
    needed = [_listed(says["additional_keys"])] if says.get("additional_keys") else []
    if entry.selective and entry.secondary_keys and not entry.constant:
        needed.append(list(entry.secondary_keys))
    excluded = first(_listed(says.get("exclude_keys", "")), text, entry)
    return not excluded and all(first(keys, text, entry) for keys in needed)


def _by_pattern(each: Entry, scanned: _Scanned) -> str:
    text = scanned.as_said(each.depth, recalled=each.entry.recursive)
    key = next((key for key in each.entry.keys if scanned.matches(each.entry, key, text)), "")
    return f"“{key}” matches" if key else ""


def _listed(text: str) -> list[str]:
    return [part for part in text.split(",") if part.strip()]
