"""English words as this program needs them: tokens, stems, and how rare a word is. Pure; no Django.

`common.txt` holds SCOWL's size levels 10, 20 and 35 (American and British; see NOTICE beside it), each word once, at
its lowest level. A level stands in for a word's frequency: the constants of `rarity` are `7.5 - zipf` of a typical
word of that level.
"""

import re
import threading
from functools import cache, lru_cache
from pathlib import Path

import Stemmer

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’](?:s|S)?$")
_RARITY = {10: 2.0, 20: 2.8, 35: 3.6}
UNKNOWN = 5.5
"""`rarity` of a word that no list has."""
_LOCAL = threading.local()

# Words that carry grammar, not a subject. Question words and pronouns are in here.
STOP = frozenset(
    """a about above across after again against ah all almost along already also although always am an and another any
    anybody anyone anything are aren't around as at away be because been before being below between both but by can
    can't cannot could couldn't did didn't do does doesn't doing don't done down during each either else ever every
    everybody everyone everything everywhere few for from get gets getting go goes going got had has hasn't have
    haven't having he he'd he'll he's her here hers herself hey hi him himself his how how's however i i'd i'll i'm
    i've if in into is isn't it it's its itself just kind let let's like lot many may maybe me might mine more most
    much must my myself neither no nobody none nor not nothing now of off oh ok okay on once one only or other others
    our ours ourselves out over own perhaps please quite rather really same she she'd she'll she's should shouldn't
    since so some somebody someone something somewhere sort still such than that that's the their theirs them
    themselves then there there's these they they're they've thing things this those though through to too toward
    under until up upon us very was wasn't we we'd we'll we're we've well were weren't what what's whatever when
    where where's whether which while who who's whom whose why will with within without won't would wouldn't yes yet
    you you'd you'll you're you've your yours yourself yourselves u tell know say said think want""".split()
)


def tokens(text: str) -> list[str]:
    """The words of `text`, lower case, with inner apostrophes; punctuation never sticks to a word."""
    return [match.group().replace("’", "'").lower() for match in _TOKEN.finditer(text)]


def without_possessive(word: str) -> str:
    """Rupert's -> Rupert; other words as they are."""
    return _POSSESSIVE.sub("", word)


def _stemmer() -> Stemmer.Stemmer:
    # A Stemmer object isn't for two threads.
    if not hasattr(_LOCAL, "stemmer"):
        _LOCAL.stemmer = Stemmer.Stemmer("english")
    return _LOCAL.stemmer


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Snowball's English stem: family, families -> famili; familiar stays familiar."""
    return str(_stemmer().stemWord(without_possessive(word)))


def stems(text: str) -> list[str]:
    """Stems of the words of `text` that carry a subject (no stop words), in order, with repeats."""
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
    """How much it says that a text holds `word`: 2.0 for the most common words to 5.5 for one that no list has."""
    return _RARITY.get(_levels().get(without_possessive(word), 0), UNKNOWN)


def stem_rarity(stemmed: str) -> float:
    """`rarity` of the most common word with this stem."""
    return _RARITY.get(_stem_levels().get(stemmed, 0), UNKNOWN)


def is_common(word: str) -> bool:
    """Whether `word` is among the about 11,000 most common English words (SCOWL levels 10 and 20)."""
    return word in STOP or _levels().get(without_possessive(word), 99) <= 20
