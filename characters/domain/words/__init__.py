"""Tokens, stems and rarity of English words. Pure; no Django.

`common.txt` holds SCOWL's size levels 10, 20 and 35 (American and British; see NOTICE beside it), each word once, at
its lowest level. The level stands in for the word's frequency: the constants of `rarity` are `7.5 - zipf` of a typical
word of that level.
"""

import re
import threading
from functools import cache, lru_cache
from pathlib import Path

import Stemmer

from characters.domain import lexicon

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’](?:s|S)?$")
_RARITY = {10: 2.0, 20: 2.8, 35: 3.6}
UNKNOWN = 5.5
"""`rarity` of a word that is in no list."""
_LOCAL = threading.local()

STOP = lexicon.entries("stop")
"""Function words, question words and pronouns: they name no subject."""


def tokens(text: str) -> list[str]:
    """Return the words of `text`, lower case, with inner apostrophes and no other punctuation."""
    return [match.group().replace("’", "'").lower() for match in _TOKEN.finditer(text)]


def without_possessive(word: str) -> str:
    """Remove a possessive ending: Rupert's -> Rupert."""
    return _POSSESSIVE.sub("", word)


def _stemmer() -> Stemmer.Stemmer:
    # A Stemmer object isn't thread-safe.
    if not hasattr(_LOCAL, "stemmer"):
        _LOCAL.stemmer = Stemmer.Stemmer("english")
    return _LOCAL.stemmer


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return Snowball's English stem: family, families -> famili; familiar stays familiar."""
    return str(_stemmer().stemWord(without_possessive(word)))


def stems(text: str) -> list[str]:
    """Return the stems of the words of `text` except stop words, in order, with repeats."""
    return [stem(word) for word in tokens(text) if word not in STOP]


@cache
def _levels() -> dict[str, int]:
    levels: dict[str, int] = {}
    level = 0
    for line in (Path(__file__).parent / "common.txt").read_text().splitlines():
        if line.startswith("# "):
            level = int(line[2:])
        else:
            levels[line] = level
    return levels


@cache
def _stem_levels() -> dict[str, int]:
    lowest: dict[str, int] = {}
    for word, level in _levels().items():
        lowest.setdefault(stem(word), level)
    return lowest


def rarity(word: str) -> float:
    """Return how telling a word is: from 2.0 for the most common words to 5.5 for one that is in no list."""
    return _RARITY.get(_levels().get(without_possessive(word), 0), UNKNOWN)


def stem_rarity(stemmed: str) -> float:
    """Return the `rarity` of the most common word with this stem."""
    return _RARITY.get(_stem_levels().get(stemmed, 0), UNKNOWN)


def is_common(word: str) -> bool:
    """Return whether `word` is a stop word or among the some 11,000 most common words (SCOWL levels 10 and 20)."""
    return word in STOP or _levels().get(without_possessive(word), 99) <= 20
