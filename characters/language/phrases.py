"""Extract phrases of a message to search the knowledge bases for, without a model.

Over-inclusive on purpose: one search too many costs a millisecond, a missed name costs the answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from characters.domain import words

Kind = Literal["quoted", "name", "starts a sentence", "notation", "rare word", "sentence", "message", "follow-up"]

MAX_PHRASES = 8
MAX_SENTENCES = 4
MIN_LENGTH = 3
MAX_LENGTH = 80

_QUOTED = re.compile(r"\"([^\"\n]+)\"|“([^“”\n]+)”|«([^«»\n]+)»|(?<!\w)['‘]([^'‘’\n]+)['’](?!\w)")
_NOTATION = re.compile(r"\b\d*d\d{1,3}(?:\s?[+-]\s?\d+)?\b|\b(?:AC|DC|HP|XP|CR)\s?\d+\b")
_WORD = re.compile(r"(?:Dr|Mr|Mrs|Ms|Prof|St|Capt|Sgt|Lt)\.(?=\s)|[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE_BREAK = re.compile(r"(?<=[.!?…])[\"”’')]*\s+|\n+")
_SENTENCE_END = re.compile(r"[.!?\n:]")
_JOINERS = frozenset("of the de la del di da du van von der den bin al".split())
_MAX_JOINERS = 3
_REQUESTS = frozenset("tell ask check describe explain remind show give find call meet visit see look".split())


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase to search for, and the rule that found it."""

    text: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int
    opens: bool
    """Whether it is the first word of a sentence."""

    @property
    def is_capital(self) -> bool:
        return self.text[0].isupper() and self.text != "I" and not self.text.startswith(("I'", "I’"))

    @property
    def plain(self) -> str:
        return words.without_possessive(self.text.lower().replace("’", "'"))


def extract(message: str) -> tuple[Phrase, ...]:
    """Return at most 8 phrases of 3 characters or more: quoted > names > notation > rare words."""
    phrases: dict[str, Phrase] = {}
    for phrase in (*_quoted(message), *_names(message), *_notation(message), *_rare(message)):
        if len(phrases) == MAX_PHRASES:
            break
        key = phrase.text.lower()
        if len(phrase.text) >= MIN_LENGTH and not _inside(key, phrases):
            phrases[key] = Phrase(phrase.text[:MAX_LENGTH].rstrip(), phrase.kind)
    return tuple(phrases.values())


def sentences(message: str) -> tuple[str, ...]:
    """Return the first 4 sentences of a message, none if it has only one; each may have a subject of its own."""
    parts = dict.fromkeys(" ".join(part.split()) for part in _SENTENCE_BREAK.split(message.strip()) if part.strip())
    return tuple(parts)[:MAX_SENTENCES] if len(parts) > 1 else ()


def _inside(key: str, phrases: dict[str, Phrase]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(key)}(?!\w)", other) for other in phrases)


def _quoted(message: str) -> Iterator[Phrase]:
    for match in _QUOTED.finditer(message):
        text = " ".join(next(group for group in match.groups() if group).split()).strip(" .,!?")
        yield Phrase(text, "quoted")


def _notation(message: str) -> Iterator[Phrase]:
    return (Phrase(match.group(), "notation") for match in _NOTATION.finditer(message))


def _words(message: str) -> list[_Word]:
    words_found: list[_Word] = []
    for match in _WORD.finditer(message):
        before = message[words_found[-1].end : match.start()] if words_found else "."
        title = bool(words_found) and words_found[-1].text.endswith(".")
        opens = bool(_SENTENCE_END.search(before)) and not title
        words_found.append(_Word(match.group(), match.start(), match.end(), opens))
    return words_found


def _names(message: str) -> Iterator[Phrase]:
    """Yield runs of capitalised words with possessives and joiners ("House of the Jade Phoenix").

    A common word that begins a sentence may or may not belong to the name behind it ("Iron Lantern", "Later Quill"):
    both readings are yielded.
    """
    if message.isupper():
        return
    run: list[_Word] = []
    joiners: list[_Word] = []
    opener: _Word | None = None
    for word in _words(message):
        gap = message[(joiners or run)[-1].end : word.start] if run else " "
        if run and (word.opens or gap.strip(" ")):
            yield from _name(run, opener)
            run, joiners, opener = [], [], None
        if word.is_capital and not (not run and word.opens and words.is_common(word.plain)):
            opener = opener if opener and (run or message[opener.end : word.start] == " ") else None
            run = [*run, *joiners, word]
            joiners = []
        elif run and word.text in _JOINERS and len(joiners) < _MAX_JOINERS:
            joiners.append(word)
        else:
            yield from _name(run, opener)
            run, joiners = [], []
            opener = word if word.is_capital and word.plain not in words.STOP | _REQUESTS else None
    yield from _name(run, opener)


def _name(run: list[_Word], opener: _Word | None) -> Iterator[Phrase]:
    if not run or (len(run) == 1 and run[0].opens and words.rarity(run[0].plain) < words.UNKNOWN):
        return
    kind: Kind = "starts a sentence" if run[0].opens else "name"
    for reading in [run, [opener, *run]] if opener else [run]:
        text = " ".join(word.text for word in reading)
        yield Phrase(re.sub(r"['’][sS]$", "", text), kind)


def _rare(message: str) -> Iterator[Phrase]:
    plain = dict.fromkeys(words.without_possessive(token) for token in words.tokens(message))
    rare = [word for word in plain if not words.is_common(word) and not word.isdigit()]
    for word in sorted(rare, key=words.rarity, reverse=True):  # stable: equally rare words keep their order
        yield Phrase(word, "rare word")
