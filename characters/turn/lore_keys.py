"""Keys of lore: where do they stand in a text?"""

import re
from collections.abc import Iterable

import regex

from characters.turn.sheet import LoreEntry

PATTERN_SECONDS = 0.01
"""A pattern of somebody's card that takes longer doesn't match."""
_JS_PATTERN = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)
_NO_SPACES = 0x2E80
"""From here on scripts are written without spaces between words (CJK)."""
_WORD = re.compile(r"(?:(?![\u2e80-\U0010ffff])\w)+")


def words_in(text: str) -> set[str]:
    """The words of a text, case aside, of scripts that have spaces between them."""
    return set(_WORD.findall(text.casefold()))


def first_word(key: str) -> str:
    """The word that a text must have for this key to stand in it; empty where none must."""
    found = _WORD.search(key.casefold())
    return found[0] if found else ""


def matches(key: str, text: str, *, cased: bool) -> bool:
    """Whether a regular expression matches, also as JavaScript writes it; not if it is broken or takes too long."""
    written = _JS_PATTERN.fullmatch(key)
    flags = 0 if cased and not (written and "i" in written[2]) else regex.IGNORECASE
    try:
        return bool(regex.search(written[1] if written else key, text, flags, timeout=PATTERN_SECONDS))
    except (regex.error, TimeoutError):
        return False


def first(keys: Iterable[str], text: str, entry: LoreEntry) -> str:
    """The first of an entry's keys that stands in the text as a word of its own; empty for none."""
    for key in keys:
        wanted = key.strip() if entry.case_sensitive else key.strip().casefold()
        if wanted and stands(wanted, text):
            return key
    return ""


def stands(key: str, text: str) -> bool:
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
