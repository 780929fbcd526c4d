"""What a learned guess sees of two messages: figures that say nothing of their subject. No Django.

Few words, and those of grammar: words of a subject don't carry over to other people's messages. What the earlier
message says counts by its mood only; its words didn't carry over either when they were measured.
"""

import math
import re
from collections.abc import Mapping

from characters.domain import words
from characters.memory.enrichment.traits import Both, Message

Signals = Mapping[str, float]

_APART = re.compile(r" (n't|'\w+)\b")
"""Corpora write "do n't" and "it 's"."""
_LETTER = re.compile(r"[^\W\d_]")
_WORDS = {
    name: re.compile(pattern)
    for name, pattern in {
        "reason": r"\b(?:because|cause|cuz|since|so|therefore|thus|hence|why|reason|due)\b",
        "condition": r"\b(?:if|when|then|unless|once|whether)\b",
        "but": r"\b(?:but|however|though|although|yet|still|except|instead|rather|than)\b",
        "not": r"\b(?:no|not|never|none|nothing|cannot|cant|dont|doesnt|didnt|isnt|wont|without)\b|n't\b",
        "yes first": r"^(?:yes|yeah|yep|yup|ya|ok|okay|sure|right|true|ah|oh|thanks|i see|great|cool|hm+)\b",
        "thanks": r"\b(?:thanks|thank|thx|ty|cheers)\b",
        "question mark": r"\?",
        "you": r"\b(?:you|your|you're|u|ya)\b",
        "i": r"\b(?:i|i'm|im|i've|i'd|my|me|we|our)\b",
        "pronoun": r"\b(?:it|that|this|they|them|those|these|he|his|she|one)\b",
        "must": r"\b(?:should|must|need|have to|might|may|could|would|better)\b",
        "meant": r"\b(?:mean|meant|talking about|question|asking|said|saying|understand)\b",
        "works": r"\b(?:error|fail\w*|broken|crash\w*|problem|wrong|bad|works?|worked|working|found|fixed)\b",
        "told": r"\b(?:says?|told|tells?|gives?|shows?|getting|get|comes?)\b",
    }.items()
}
_NOT, _I, _YOU = _WORDS["not"], _WORDS["i"], _WORDS["you"]
_POINTS = re.compile(r"\b(?:it|that|this|them|they|those|he|she|him|her|there|one|ones|his|their)\b")
_POINTS_FIRST = re.compile(r"^(?:it|that|they|those|he|she|this|these)\b")
_ABOUT_YOU = re.compile(
    r"\b(?:do|are|have|did|can|would) (?:you|u|ya)\b|\b(?:your|yours|yourself)\b|"
    r"\b(?:you|u) (?:like|have|do|live|work|enjoy)\b"
)
_ECHO = re.compile(
    r"^(?:yes|yeah|yep|no|nope|that|it|thanks|thank|sure|true|cool|nice|great|wow|awesome|oh|lol|haha|sorry|very|good|"
    r"i agree|me too|same|really|sounds|right|ok|okay)\b"
)
_AND_YOU = re.compile(r"\b(?:what|how) about (?:you|u|yourself)\b|\band you\b|\byourself\b|\byou \?$")
_ONESELF = re.compile(r"^(?:i|my|we)\b")
_SHORT = 4
"""Words of a last sentence that adds no subject."""


def of_relation(both: Both) -> Signals:
    """Signals of what the later message is to the earlier one; `both.cosine` must be known."""
    text = _plain(both.later)
    found = {name: bool(pattern.search(text)) for name, pattern in _WORDS.items()}
    return _floats(found | _moods(both) | _turns(both) | _nearness(both))


def of_shift(both: Both) -> Signals:
    """Signals of whether the later message turns to another subject; `both.cosine` must be known."""
    last = _sentences(both.later)[-1]
    asks = "?" in last
    return _floats(_nearness(both) | _lasts(both, last, asks=asks) | _ways(both, last, asks=asks))


def _moods(both: Both) -> dict[str, float]:
    """Who asks and who tells."""
    asked, asks = _asks(both.earlier), _asks(both.later)
    cosine = both.cosine or 0.0
    return {
        "both ask": asked and asks,
        "answers": asked and not asks,
        "asks back": not asked and asks,
        "both tell": not asked and not asks,
        "near, both ask": asked and asks and cosine,
        "near, tells": 0.0 if asks else cosine,
        "told to do, tells": both.earlier.is_command and not asks,
    }


def _turns(both: Both) -> dict[str, float]:
    """What changes from the one to the other."""
    earlier, later = _plain(both.earlier), _plain(both.later)
    fails = any(_WORDS[name].search(later) for name in ("not", "works", "told"))
    return {
        "turns to not": bool(_NOT.search(earlier)) != bool(_NOT.search(later)),
        "told to do, and it fails": both.earlier.is_command and fails,
        "you, then i": bool(_YOU.search(earlier) and _I.search(later)),
        "i, then you": bool(_I.search(earlier) and _YOU.search(later)),
    }


def _nearness(both: Both) -> dict[str, float]:
    one, other = both.earlier.stems, both.later.stems
    cosine = both.cosine or 0.0
    return {
        "cosine": cosine,
        "near": max(0.0, cosine - 0.3),
        "share of words": len(both.shared) / max(1, min(len(one), len(other))),
        "shares a word": bool(both.shared),
        "rarity shared": _rarity(both.shared),
        "length before": math.log1p(len(both.earlier.plain.split())),
        "length": math.log1p(len(both.later.plain.split())),
    }


def _lasts(both: Both, last: str, *, asks: bool) -> dict[str, float]:
    """What is new, and most of all in the last sentence: a new subject comes there."""
    stems = frozenset(words.stems(last))
    cosine, count = both.cosine or 0.0, len(_sentences(both.later))
    return {
        "last shares a word": bool(stems & both.earlier.stems),
        "rarity new": _rarity(both.later.stems - both.earlier.stems),
        "rarity new at last": _rarity(stems - both.earlier.stems),
        "sentences": math.log1p(count),
        "more than one sentence": count > 1,
        "short last": len(last.split()) <= _SHORT,
        "near, asks": cosine if asks else 0.0,
        "near, tells": 0.0 if asks else cosine,
    }


def _ways(both: Both, last: str, *, asks: bool) -> dict[str, float]:
    text, asked = _plain(both.later), "?" in _sentences(both.earlier)[-1]
    points, echoes = bool(_POINTS.search(last)), bool(_ECHO.match(text))
    return {
        "asked": asked,
        "asks": asks,
        "asked, tells": asked and not asks,
        "points": points,
        "points, asks": points and asks,
        "points first": bool(_POINTS_FIRST.match(text)),
        "about you": bool(_ABOUT_YOU.search(last)),
        "echoes": echoes,
        "echoes, asks": echoes and asks,
        "and you": bool(_AND_YOU.search(text)),
        "oneself at last": bool(_ONESELF.match(last)),
        "oneself, asked": bool(_ONESELF.match(text)) and asked,
    }


def _floats(found: Mapping[str, float]) -> Signals:
    return {name: float(value) for name, value in found.items()}


def _plain(message: Message) -> str:
    return _APART.sub(r"\1", message.plain)


def _sentences(message: Message) -> list[str]:
    return [_APART.sub(r"\1", each) for each in message.sentences if _LETTER.search(each)] or [message.plain]


def _asks(message: Message) -> bool:
    return "?" in message.plain or message.is_question


def _rarity(stems: frozenset[str]) -> float:
    return math.log1p(sum(words.stem_rarity(stem) for stem in sorted(stems)))
