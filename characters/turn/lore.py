"""Lore: which entries of the character's lorebook do these messages trigger?

Entries and decorators as in https://github.com/kwaroran/character-card-spec-v3 (Lorebook). Supported decorators are in
`lore_index.ACTING`; any other is skipped, and its first supported fallback counts in its place.
"""

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod

import regex

from characters.domain.sheet import LoreEntry
from characters.turn.lore_index import ALWAYS, ActiveLore, Entry, called_up, index_of, number_in, plain, words_in
from characters.turn.request import TurnRequest

MAX_ROUNDS = 3
"""Rounds in which triggered entries are searched for keys of other entries."""
PATTERNS_SECONDS = 0.1
"""Seconds for all regular expressions of a turn; those without time left are counted."""
CHARACTERS_A_TOKEN = 8
"""Most characters per token in texts searched for keys: an entry without room triggers nothing."""
PATTERN_SECONDS = 0.01
"""Seconds after which a pattern of a card counts as no match."""
MAX_PATTERN = 2_000
MAX_COPIES = 10_000
"""Most repetitions of a part of a pattern ("((a{9}){9}){9}"), since each is a copy in memory."""
CACHED_PATTERNS = 4_096
_COUNTS = (re.compile(r"[^)}]\{,?(\d{1,9})"), re.compile(r"[)}]\{,?(\d{1,9})"))
_VERBOSE = re.compile(r"\(\?[a-zA-Z0-9]*x")
"""Matches the verbose flag, which would hide a count behind spaces; no card needs it."""
_JS_PATTERN = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)
_NO_SPACES = 0x2E80
"""First code point of scripts without spaces between words (CJK)."""


@dataclass(frozen=True, slots=True)
class Lore:
    """The triggered entries, in prompt order."""

    entries: tuple[ActiveLore, ...] = ()
    untried: int = 0


@dataclass(frozen=True, slots=True)
class CalledLore:
    """A triggered entry in the trace: why it was triggered, and whether there was room."""

    id: str
    name: str
    why: str
    shown: bool


@dataclass(slots=True)
class _Scanned:
    """The newest messages as texts to search for keys, and the seconds left for patterns."""

    messages: Sequence[str]
    recalled: str = ""
    seconds: float = PATTERNS_SECONDS
    untried: set[tuple[str, str]] = field(default_factory=set)
    _texts: dict[tuple[int, bool | None, bool], str] = field(default_factory=dict)

    def text(self, depth: int, *, cased: bool | None, recalled: bool) -> str:
        """Return the newest `depth` messages, joined: normalized like keys, or unchanged for patterns (`cased` is
        None).
        """
        key = (depth, cased, recalled)
        if key not in self._texts:
            newest = [*(self.messages[-depth:] if depth > 0 else ()), *([self.recalled] if recalled else ())]
            written = "\n".join(newest)
            text = written if cased is None else plain(written)
            self._texts[key] = text.casefold() if cased is False else text
        return self._texts[key]

    def recall(self, text: str) -> None:
        self.recalled += f"\n{text}"
        self._texts.clear()

    def matches(self, entry: LoreEntry, key: str, text: str) -> bool:
        """Return whether the pattern matches. No pattern is tried once the time is up."""
        if self.seconds <= 0:
            self.untried.add((entry.id, key))
            return False
        pattern(key, cased=entry.case_sensitive)  # read once; that takes none of this turn's time for patterns
        start = time.perf_counter()
        is_match = matches(key, text, cased=entry.case_sensitive, seconds=min(PATTERN_SECONDS, self.seconds))
        self.seconds -= time.perf_counter() - start
        return is_match


def active(request: TurnRequest) -> Lore:
    """Return the triggered entries."""
    if not request.sheet.lore:
        return Lore()
    index = index_of(request.sheet.lore)
    scanned = _Scanned([*(message.text for message in request.history), request.message])
    words = words_in("\n".join(scanned.messages))
    calls = {place: lore for place, lore in index.always.items() if not request.is_off(f"lore:{lore.id}")}
    newest = calls
    for number in range(MAX_ROUNDS):
        if index.is_recursive and newest:
            recalled = _as_far_as_shown(newest.values(), request.budgets.lore * CHARACTERS_A_TOKEN)
            scanned.recall(recalled)
            words |= words_in(recalled)
        possible = {place: entry for place, entry in index.possible(words) if place not in calls}
        if number:
            possible = {place: entry for place, entry in possible.items() if entry.entry.recursive}
        reasons = {place: _why(entry, scanned) for place, entry in possible.items() if _may(entry, request)}
        newest = {place: called_up(possible[place], why) for place, why in reasons.items() if why}
        calls |= newest
        if not newest or not index.is_recursive:
            break
    in_order = sorted((calls[place] for place in sorted(calls)), key=lambda lore: (not lore.before, lore.order))
    return Lore(tuple(in_order), len(scanned.untried))


def _as_far_as_shown(newest: Iterable[ActiveLore], room: int) -> str:
    texts = []
    for lore in sorted(newest, key=lambda lore: lore.weight):
        if len(lore.text) <= room:
            texts.append(lore.text)
            room -= len(lore.text)
    return "\n".join(texts)


def _may(candidate: Entry, request: TurnRequest) -> bool:
    """Return whether the entry is switched on and the conversation is long enough for it."""
    decorators = candidate.decorators
    if request.is_off(f"lore:{candidate.entry.id}") or ("dont_activate" in decorators and "activate" not in decorators):
        return False
    replies = max(request.turn - 1, sum(message.role == "assistant" for message in request.history))
    every = number_in(decorators.get("activate_only_every"), 1)
    return replies >= number_in(decorators.get("activate_only_after"), 0) and (every < 1 or replies % every == 0)


def _why(candidate: Entry, scanned: _Scanned) -> str:
    entry = candidate.entry
    if "activate" in candidate.decorators:
        return ALWAYS
    cased = None if entry.use_regex and not entry.constant else entry.case_sensitive
    text = scanned.text(candidate.depth, cased=cased, recalled=entry.recursive)
    if cased is None:
        key = next((key for key in entry.keys if scanned.matches(entry, key, text)), "")
        return f"“{key}” matches" if key else ""
    if not _is_let(candidate, text):
        return ""
    key = "" if entry.constant else first(entry.keys, text, entry)
    return ALWAYS if entry.constant else f"“{key}” was said" if key else ""


def _is_let(candidate: Entry, text: str) -> bool:
    entry, decorators = candidate.entry, candidate.decorators
    needed = [_listed(decorators["additional_keys"])] if decorators.get("additional_keys") else []
    if entry.selective and entry.secondary_keys and not entry.constant:
        needed.append(list(entry.secondary_keys))
    excluded = first(_listed(decorators.get("exclude_keys", "")), text, entry)
    return not excluded and all(first(keys, text, entry) for keys in needed)


def _listed(text: str) -> list[str]:
    return [part for part in text.split(",") if part.strip()]


def matches(key: str, text: str, *, cased: bool, seconds: float = PATTERN_SECONDS) -> bool:
    """Return whether a regular expression matches, JavaScript's notation included; not if it is broken or too slow."""
    expression = pattern(key, cased=cased)
    try:
        return bool(expression and expression.search(text, timeout=seconds))
    except TimeoutError:
        return False


@lru_cache(maxsize=CACHED_PATTERNS)
def pattern(key: str, *, cased: bool) -> "regex.Pattern[str] | None":
    """Return a key's regular expression, or None if it is none or unreasonably large."""
    written = _JS_PATTERN.fullmatch(key)
    text = written[1] if written else key
    if len(text) > MAX_PATTERN or _copies(text) > MAX_COPIES or _VERBOSE.search(text):
        return None
    try:
        return regex.compile(text, 0 if cased and not (written and "i" in written[2]) else regex.IGNORECASE)
    except (regex.error, RecursionError):
        return None


def _copies(text: str) -> int:
    most = MAX_COPIES + 1
    counts, groups = ([max(1, min(int(digits), most)) for digits in counted.findall(text)] for counted in _COUNTS)
    return max(counts, default=1) * prod(groups)


def first(keys: Iterable[str], text: str, entry: LoreEntry) -> str:
    """Return the first of an entry's keys that is a word of the `plain` text, or an empty string."""
    for key in keys:
        wanted = plain(key.strip()) if entry.case_sensitive else plain(key.strip()).casefold()
        if wanted and _stands(wanted, text):
            return key
    return ""


def _stands(key: str, text: str) -> bool:
    at = text.find(key)
    while at >= 0:
        end = at + len(key)
        if not (_joined(text[at - 1 : at], key[0]) or _joined(key[-1], text[end : end + 1])):
            return True
        at = text.find(key, at + 1)
    return False


def _joined(left: str, right: str) -> bool:
    return all(each and (each.isalnum() or each == "_") and ord(each) < _NO_SPACES for each in (left, right))
