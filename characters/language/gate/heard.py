"""What is seen of a statement and of what was said: figures that name no subject. Pure; no Django.

What was said is a text, or a conversation of lines as "<A> well I think so <B> yeah".
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from characters.domain import words

Vectors = Mapping[str, NDArray[np.float32]]

NOT = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|nor|neither|cannot|without|hardly|isnt|arent|dont|doesnt|didnt)\b|n't\b"
)
_NUMBER = re.compile(
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|hundred|thousand)\b"
)
_ABOUT = {
    "all": r"\b(?:all|every|everyone|everybody|always|both|each|whole|entire|only|any\w*|exactly|completely|totally)\b",
    "some": r"\b(?:some\w*|a few|few|at least|more than|may|might|could|can|possibl[ey]|probably|maybe|perhaps|"
    r"likely|seems?|a lot|many|several)\b",
    "must": r"\b(?:must|should|have to|has to|needs?|will|going to|wants?|would)\b",
    "compares": r"\b(?:more|less|better|worse|than|most|best|worst|rather|prefers?|as)\b",
    "thinks": r"\b(?:think|thinks|believes?|feels?|says?|said|knows?|agrees?|disagrees?|talking|ask(?:s|ing)|tells?|"
    r"telling|explain\w*|discuss\w*|mention\w*|conversation|speaking)\b",
    "good": r"\b(?:loves?|likes?|enjoys?|happy|good|great|nice|fun|easy|interesting|glad|excited|cheap|safe|"
    r"right|true)\b",
    "bad": r"\b(?:hates?|dislikes?|bad|sad|boring|difficult|hard|angry|upset|expensive|dangerous|wrong|false|unhappy|"
    r"annoy\w*|worried|scared)\b",
    "past": r"\b(?:was|were|had|did|used|been|ago|yesterday|last|\w{1,20}ed)\b",
}
_OF_STATEMENT = {
    "once": r"\b(?:one|once|first)\b",
    "they": r"\b(?:they|them|their)\b",
    "a speaker": r"\b(?:speaker|person|mother|[abcde])\b(?= )",
    "people": r"\b(?:people|women|men|children|kids|parents|everyone|nobody)\b",
    "family": r"\b(?:mother|father|mum|dad|sister|brother|wife|husband|son|daughter|friends?|married)\b",
    "about": r"\babout\b",
    "begins with it": r"^\W*(?:there (?:is|are|was|were)|it|he|she|they)\b",
    "is a": r"\b(?:is|are) (?:a|an|the)\b",
}
_BOTH = {name: re.compile(pattern) for name, pattern in _ABOUT.items()}
_ONE = {name: re.compile(pattern) for name, pattern in _OF_STATEMENT.items()}
_LINE = re.compile(r"<(\w{1,20})>\s*([^<]*)")
_WHO = re.compile(r"\b(?:speaker|person|participant)(?:'?s)?\s+'?([a-e])\b|(?<![\w'])([A-E])\b(?!')", re.IGNORECASE)
_PIECE = re.compile(r"[^\W_]+|'t")
_NAMELESS = frozenset({"speaker", "person"})
_GRAMMAR = words.STOP | frozenset("speaker person people talking t s d e don doesn didn isn aren m is are".split())


def lines(said: str) -> list[tuple[str, str]]:
    """Who said what; a text without marks is one line per sentence, of nobody."""
    found = [(who, text.strip()) for who, text in _LINE.findall(said) if text.strip()]
    return found or [("", part.strip()) for part in re.split(r"(?<=[.!?])\s+|\n+", said) if part.strip()]


def texts(said: str, statement: str) -> list[str]:
    """What has to be embedded before the two are compared."""
    found = [text for _, text in lines(said)]
    return list(dict.fromkeys([said, statement, " ".join(found), *found]))


def grammar(statement: str) -> frozenset[str]:
    """Its words of grammar, and pairs of such words that stand side by side."""
    pieces = _PIECE.findall(statement.lower())
    pairs = {f"{one} {other}" for one, other in pairwise(pieces) if {one, other} <= _GRAMMAR}
    return frozenset(pairs | (_GRAMMAR & set(pieces)))


def figures(said: str, statement: str, vectors: Vectors) -> Mapping[str, float]:
    """By name a figure; 0 where it takes vectors and there are none."""
    told, low = lines(said), statement.lower()
    heard = " ".join(text for _, text in told).lower()
    found = _moods(heard, low) | _words(told, heard, statement) | _numbers(heard, low)
    found |= _nearness(said, told, statement, vectors, denies=bool(NOT.search(low)))
    return {name: float(value) for name, value in found.items()}


def _moods(heard: str, low: str) -> dict[str, float]:
    denies, denied = bool(NOT.search(low)), len(NOT.findall(heard))
    found: dict[str, float] = {
        "denies": denies,
        "was denied": min(denied, 3) / 3,
        "denies as well": denies and denied > 0,
        "denies alone": denies and not denied,
        "asked": "?" in heard,
    }
    for name, pattern in _BOTH.items():
        here, there = bool(pattern.search(low)), bool(pattern.search(heard))
        found |= {name: here, f"{name} before": there, f"{name} both": here and there}
    return found | {name: bool(pattern.search(low)) for name, pattern in _ONE.items()}


def _words(told: Sequence[tuple[str, str]], heard: str, statement: str) -> dict[str, float]:
    known = set(words.stems(heard))
    own = [stem for stem in words.stems(statement) if stem not in _NAMELESS and len(stem) > 1]
    shared = [stem for stem in own if stem in known]
    rare = [words.stem_rarity(stem) for stem in own]
    new = [words.stem_rarity(stem) for stem in own if stem not in known]
    who = speakers(statement)
    theirs = set(words.stems(" ".join(text for name, text in told if name.lower() in who)))
    share, denies = len(shared) / max(1, len(own)), bool(NOT.search(statement.lower()))
    nearest = max((text for _, text in told), key=lambda text: len(set(words.stems(text)) & set(own)), default="")
    differs = bool(NOT.search(nearest.lower())) != denies
    return {
        "shared": share,
        "shared by rarity": 1 - sum(new) / (sum(rare) or 1),
        "new by rarity": sum(new) / 10,
        "shared words": min(4, len(shared)) / 4,
        "shared, denies": denies * share,
        "shared, says": (not denies) * share,
        "nearest line differs": differs and bool(shared),
        "nearest line agrees": not differs and bool(shared),
        "named": len(who) / 2,
        "somebody absent": bool(who - {name.lower() for name, _ in told}),
        "shared with the named": len([stem for stem in own if stem in theirs]) / max(1, len(own)),
        "length": np.log1p(len(statement.split())),
        "length before": np.log1p(len(heard.split())),
        "lower case": statement[:1].islower(),
        "ends": statement.rstrip().endswith("."),
        "speakers": len({name for name, _ in told}) / 4,
        "rarest": max(rare, default=0) / 5,
        "rarest new": max(new, default=0) / 5,
    }


def speakers(statement: str) -> set[str]:
    """The letters that it calls speakers by, in lower case."""
    marked = {one.lower() for one, _ in _WHO.findall(statement) if one}
    return marked or {other.lower() for _, other in _WHO.findall(statement) if other and other.isupper()}


def _numbers(heard: str, low: str) -> dict[str, float]:
    here, there = set(_NUMBER.findall(low)), set(_NUMBER.findall(heard))
    return {
        "number": bool(here),
        "number differs": bool(here - there) and bool(there),
        "new number": bool(here - there),
        "same number": bool(here & there),
    }


def _nearness(
    said: str, told: Sequence[tuple[str, str]], statement: str, vectors: Vectors, *, denies: bool
) -> dict[str, float]:
    one = vectors.get(statement)
    near = [(name, float(one @ vectors[text])) for name, text in told if text in vectors] if one is not None else []
    values = sorted((value for _, value in near), reverse=True) or [0.0]
    who = speakers(statement)
    theirs = max((value for name, value in near if name.lower() in who), default=0.0)
    joined = vectors.get(" ".join(text for _, text in told))
    whole, plain = (
        0.0 if other is None or one is None else float(one @ other) for other in (vectors.get(said), joined)
    )
    return {
        "near, whole": whole,
        "near, without names": plain,
        "nearest": values[0],
        "nearest two": float(np.mean(values[:2])),
        "farthest": values[-1],
        "near on average": float(np.mean(values)),
        "spread": values[0] - float(np.mean(values)),
        "nearest, denies": denies * values[0],
        "near, denies": denies * plain,
        "nearest of the named": theirs,
        "others are nearer": (theirs or values[0]) - values[0],
    }
