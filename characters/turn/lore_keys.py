"""Keys of lore: where do they stand in a text?"""

import re
from collections.abc import Iterable
from functools import lru_cache
from math import prod
from unicodedata import normalize

import regex

from characters.domain.sheet import LoreEntry

PATTERN_SECONDS = 0.01
"""A pattern of somebody's card that takes longer doesn't match."""
MAX_PATTERN = 2_000
"""Characters of a pattern."""
MAX_COPIES = 10_000
"""How often a pattern may repeat a part of itself ("((a{9}){9}){9}"): each is a copy in memory."""
CACHED_PATTERNS = 4_096
_COUNTS = (re.compile(r"[^)}]\{,?(\d{1,9})"), re.compile(r"[)}]\{,?(\d{1,9})"))
"""Of a single thing, and of a group."""
_VERBOSE = re.compile(r"\(\?[a-zA-Z0-9]*x")
"""Allows spaces before a count, which would hide what it counts; no card needs it."""
_JS_PATTERN = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)
_NO_SPACES = 0x2E80
"""From here on scripts are written without spaces between words (CJK)."""
_APOSTROPHES = str.maketrans(dict.fromkeys("‘’ʼ＇", "'"))
_WORD = re.compile(r"(?:(?![\u2e80-\U0010ffff])\w)+")


def plain(text: str) -> str:
    """The text with one kind of apostrophe, and letters that have accents in one piece: as keys are compared."""
    return normalize("NFC", text).translate(_APOSTROPHES)


def words_in(text: str) -> set[str]:
    """The words of a text, case aside, of scripts that have spaces between them."""
    return set(_WORD.findall(plain(text).casefold()))


def first_word(key: str) -> str:
    """The word that a text must have for this key to stand in it; empty where none must."""
    word = _WORD.search(plain(key).casefold())
    return word[0] if word else ""


def matches(key: str, text: str, *, cased: bool, seconds: float = PATTERN_SECONDS) -> bool:
    """Whether a regular expression matches, also as JavaScript writes it; not if it is broken or takes too long."""
    expression = pattern(key, cased=cased)
    try:
        return bool(expression and expression.search(text, timeout=seconds))
    except TimeoutError:
        return False


@lru_cache(maxsize=CACHED_PATTERNS)
def pattern(key: str, *, cased: bool) -> "regex.Pattern[str] | None":
    """The regular expression that a key is; None for what is none, or is too large to be one that somebody wrote."""
    written = _JS_PATTERN.fullmatch(key)
    text = written[1] if written else key
    if len(text) > MAX_PATTERN or _copies(text) > MAX_COPIES or _VERBOSE.search(text):
        return None
    try:
        return regex.compile(text, 0 if cased and not (written and "i" in written[2]) else regex.IGNORECASE)
    except (regex.error, RecursionError):
        return None


def _copies(text: str) -> int:
    """At most how often a part of the pattern stands in its program: counts of groups multiply."""
    most = MAX_COPIES + 1
    counts, groups = ([max(1, min(int(digits), most)) for digits in counted.findall(text)] for counted in _COUNTS)
    return max(counts, default=1) * prod(groups)


def first(keys: Iterable[str], text: str, entry: LoreEntry) -> str:
    """The first of an entry's keys that stands in the `plain` text as a word of its own; empty for none."""
    for key in keys:
        wanted = plain(key.strip()) if entry.case_sensitive else plain(key.strip()).casefold()
        if wanted and _stands(wanted, text):
            return key
    return ""


def _stands(key: str, text: str) -> bool:
    """Whether the key stands in the text with the bounds of words around it."""
    at = text.find(key)
    while at >= 0:
        end = at + len(key)
        if not (_joined(text[at - 1 : at], key[0]) or _joined(key[-1], text[end : end + 1])):
            return True
        at = text.find(key, at + 1)
    return False


def _joined(left: str, right: str) -> bool:
    """Whether two neighbouring characters belong to one word."""
    return all(each and (each.isalnum() or each == "_") and ord(each) < _NO_SPACES for each in (left, right))
