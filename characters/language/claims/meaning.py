"""Find a statement's registered predicate, and a key shared by statements that differ trivially in wording."""

import re
import unicodedata
from collections.abc import Collection

from characters.domain import lexicon, words
from characters.domain.sheet import Fact

_KINDS = dict(entry.split(":") for entry in lexicon.entries("favourites"))
_BEHIND = re.compile(
    r"\s+(?:of all time|these days|right now|nowadays|at the moment|of mine|of all|ever"
    r"|in the (?:whole |entire )?world|on earth|by far|to (?:eat|drink|read|watch|visit)|for)\b.*"
)
_KIND_OF = re.compile(r"(?:kind|type|sort|species|piece) of ")
_INSTEAD = {
    "LOVES": ("LIKES", "ENJOYS"),
    "LIKES": ("LOVES", "ENJOYS"),
    "ENJOYS": ("LIKES", "LOVES"),
    "HATES": ("DISLIKES",),
    "DISLIKES": ("HATES",),
    "ADMIRES": ("LIKES",),
    "INTERESTED_IN": ("LIKES",),
    "HAS_OPINION": ("BELIEVES",),
    "BELIEVES": ("HAS_OPINION",),
}
_SAME = {
    "LIKES": "LIKE",
    "LOVES": "LIKE",
    "ENJOYS": "LIKE",
    "DISLIKES": "DISLIKE",
    "HATES": "DISLIKE",
    "BELIEVES": "OPINION",
    "HAS_OPINION": "OPINION",
}
_NEGATED = frozenset("no not never nothing nobody none neither nor without cannot less few hardly".split())
"""Stop words that reverse a meaning."""
_SPELLINGS = (
    (re.compile(r"our(?=s?$|ed$|ing$|full?$|ite$|able$)"), "or"),
    (re.compile(r"(?<=i)s(?=e$|es$|ed$|ing$|ation$|er$)"), "z"),
    (re.compile(r"(?<=e)ll(?=ed$|ing$|ers?$)"), "l"),
    (re.compile(r"(?<=t)re(?=s?$)"), "er"),
    (re.compile(r"^grey"), "gray"),
    (re.compile(r"ogue(?=s?$)"), "og"),
)
_ADDED = re.compile(r"[,;:(]")
_FIRST = re.compile(r"^(?:that|in)\s+", re.IGNORECASE)


def favorite(kind: str, registered: Collection[str]) -> str:
    """Return FAVORITE_COLOR for "colour"; LOVES, or its substitute, if no kind is given or it has no predicate."""
    plain = " ".join(kind.lower().split())
    without = _BEHIND.sub("", plain)
    for name in (plain, without, _KIND_OF.sub("", without)):
        for form in (_KINDS.get(name, ""), name.upper().replace(" ", "_"), name.removesuffix("s").upper()):
            if form and f"FAVORITE_{form}" in registered:
                return f"FAVORITE_{form}"
    return among("LOVES", registered)


def among(predicate: str, registered: Collection[str]) -> str:
    """Return the predicate, or the nearest registered one; empty if there is none."""
    return next((each for each in (predicate, *_INSTEAD.get(predicate, ())) if each in registered), "")


def meaning(predicate: str, text: str) -> str:
    """Return a key such as "LIKE|staghorn coral" for LOVES "the Staghorn Corals"; word order and negations are kept.

    LIKES, LOVES and ENJOYS share a key, as do DISLIKES and HATES. Favourites are keyed by kind.
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    if predicate in {"BELIEVES", "HAS_OPINION"}:
        plain = _FIRST.sub("", plain.strip())
    tokens = words.tokens(plain)
    telling = [token for token in tokens if _says(token)] or tokens
    stems = [_stem(token) for token in telling]
    return f"{_direction(predicate)}|{' '.join(stems) or plain.strip()}"


def is_stated_by(fact: Fact, predicate: str, text: str) -> bool:
    """Return whether a fact says the same, perhaps with an addition: "Coasterra, after my father's" says Coasterra."""
    wanted = meaning(predicate, text)
    return wanted in {meaning(fact.predicate, part) for part in (fact.object, _ADDED.split(fact.object)[0])}


def _direction(predicate: str) -> str:
    if predicate.startswith(("FAVORITE_", "FAVOURITE_")):
        kind = predicate.partition("_")[2]
        return f"FAVORITE_{_KINDS.get(kind.lower().replace('_', ' '), kind)}"
    return _SAME.get(predicate, predicate)


def _says(token: str) -> bool:
    return token not in words.STOP or token in _NEGATED or token.endswith("n't")


def _stem(token: str) -> str:
    if token.endswith("n't") or token in {"no", "cannot"}:
        return "not"
    for pattern, spelling in _SPELLINGS:
        token = pattern.sub(spelling, token)
    return words.stem(token)
