"""Read the object of a statement: find its end, reject vague ones, and put it into the first person."""

import re
from collections.abc import Callable, Iterable, Iterator

from characters.domain import lexicon, words
from characters.language.sentences import HIDDEN

MAX_WORDS = 12

PredicateAndObject = tuple[str, str]
"""(predicate, object)."""
Read = Callable[[str], Iterable[PredicateAndObject]]

_PLAYED = lexicon.entries("instruments and games")
_TRAITS = lexicon.entries("traits")
"""Adjectives of character: neither passing ("hungry") nor of looks ("tall")."""
_VAGUE = lexicon.entries("says nothing of a character")
"""Head words of objects that say nothing."""
_END = re.compile(rf"[.!?;:(){HIDDEN}\n]|\s[-–—]+\s|—")
_ABBREVIATION = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|St|Prof|Jr|Sr|Mt)\.$")
_TURN = re.compile(
    r"""[,\s]\s*\b(?:who|whom|whose|which|where|when|whenever|while|because|since|until|before|after|although|though|but
    |so|as|despite|unless|if|even|especially|just|including|like|ever|today|tonight|now|anymore|any\ more|nowadays
    |more\ than|except|rather\ than|thanks\ to|in\ order|during)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_RELATIVE = re.compile(r"\s+(?:that|than)\s")
_ITEM = re.compile(r"\s*,\s*(?:and|or|&)\s+|\s*,\s*|\s+(?:and|or|&)\s+")
_ARTICLE = re.compile(r"(?:an?|the)\s+", re.IGNORECASE)
_UNSURE = re.compile(
    r"\{\{|\}\}|[\[\]<>{}\x01]|\b(?:the|their) (?:user|player|reader)s?\b|\b(?:he|she|they|you|I|would|could|might)\b"
)


def cut(rest: str) -> str:
    """Return `rest` up to where its sentence ends or turns to something else."""
    end = next((m.start() for m in _END.finditer(rest) if not _ABBREVIATION.search(rest[: m.start() + 1])), len(rest))
    return _TURN.split(rest[:end], maxsplit=1)[0]


def mine(text: str) -> str:
    """Put a text into the first person: "his sister" -> "my sister", "taught you" -> "taught me"."""
    text = re.sub(r"\b(?:your|his|her)(?= \w)", "my", text)
    text = re.sub(r"\b(?:yourself|himself|herself)\b", "myself", text)
    return re.sub(r"\b(?:you|him)\b", "me", text)


def sound(text: str) -> str:
    """Return the object, trimmed and in the first person; empty if vague, a placeholder, or about somebody else."""
    text = re.sub(r" (?:yet|too|either|anyway|as well)$", "", " ".join(text.split()).strip(" ,.;:+*\"'“”"))
    bare = _ARTICLE.sub("", text, count=1)
    if not re.search(r"\w", bare) or _UNSURE.search(mine(text)) or len(text.split()) > MAX_WORDS:
        return ""
    head = re.split(r"\s+(?:of|in|on|at|for|to|with)\s+", bare.lower())[0].rpartition(" ")[2]
    return "" if head in _VAGUE or bare.lower() in words.STOP else mine(text)


def phrase_of(predicate: str, *, behind: str = "", needs: str = "", without: Iterable[str] = ()) -> Read:
    """Read one phrase: it begins with a match of `needs`, ends before one of `behind`, has no word of `without`."""
    refused = frozenset(without)

    def read(rest: str) -> Iterator[PredicateAndObject]:
        text = _RELATIVE.split(cut(rest).split(",")[0])[0]
        text = re.split(behind, text)[0] if behind else text
        if needs and not re.match(rf"\s*(?:{needs})", text):
            return
        phrase = sound(text)
        if phrase and not refused & set(words.tokens(phrase)):
            yield predicate, phrase

    return read


def clause(predicate: str) -> Read:
    """Read everything up to the end of the clause."""

    def read(rest: str) -> Iterator[PredicateAndObject]:
        end = _END.search(rest)
        phrase = sound(rest[: end.start()] if end else rest)
        if phrase:
            yield predicate, phrase

    return read


def items(predicate: str, *, only: Callable[[str], bool] = lambda item: True) -> Read:
    """Read the items of a list up to the first that is unsound or fails `only`."""

    def read(rest: str) -> Iterator[PredicateAndObject]:
        for item in _ITEM.split(_RELATIVE.split(cut(rest))[0]):
            value = sound(item)
            if not value or not only(value):
                return
            yield predicate, value

    return read


def all_or_none(predicate: str, only: Callable[[str], bool]) -> Read:
    """Read the items of a list if each of them passes `only`, else nothing."""

    def read(rest: str) -> Iterator[PredicateAndObject]:
        items = [item for item in map(sound, _ITEM.split(cut(rest))) if item]
        if items and all(map(only, items)):
            yield from ((predicate, item) for item in items)

    return read


def is_language(item: str) -> bool:
    """Match "Twi", "some French", "thieves' cant"."""
    return item.rpartition(" ")[2][:1].isupper() or item.lower().endswith((" cant", "sign language"))


def is_played(item: str) -> bool:
    """Match an instrument or a game: "the banjo badly", "chess"."""
    return bool(set(words.tokens(item)[:3]) & _PLAYED)


def is_trait(item: str) -> bool:
    """Match "kind", "secretly kind", "a little shy"."""
    plain = item.lower()
    return len(plain.split()) <= 3 and plain.rpartition(" ")[2] in _TRAITS
