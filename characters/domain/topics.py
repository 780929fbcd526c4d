"""Questions that people ask about a topic, and which predicates belong to it: HAS_FATHER belongs to "father".

`topics.txt` has the words and the questions. `idle.txt` has messages that no knowledge base is about: their similarity
to an installation's bases shows what an unrelated message scores there. Both were written for this program.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from characters.domain import words
from characters.domain.lexicon import read_blocks

FILE = Path(__file__).with_name("topics.txt")
_IDLE = {heading: tuple(lines) for heading, lines in read_blocks(FILE.with_name("idle.txt"))}
SMALL_TALK = _IDLE["small talk"]
EVERYDAY = _IDLE["everyday talk"]
"""What people tell of their lives: longer, often several sentences."""
GENERAL = _IDLE["general questions"]
"""Questions of general knowledge, which some base may happen to answer."""
TALK = (*SMALL_TALK, *EVERYDAY)
IDLE = (*TALK, *GENERAL)

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic: stems of the phrases that name it in a predicate, and the questions that people ask about it."""

    phrases: frozenset[Phrase]
    questions: tuple[str, ...]


@cache
def _topics() -> Sequence[Topic]:
    return [
        Topic(frozenset(_phrase(each) for each in heading.split(",")), tuple(lines))
        for heading, lines in read_blocks(FILE)
    ]


@cache
def _by_phrase() -> Mapping[Phrase, Sequence[Topic]]:
    topics: dict[Phrase, list[Topic]] = {}
    for topic in _topics():
        for phrase in topic.phrases:
            topics.setdefault(phrase, []).append(topic)
    return topics


def _phrase(text: str) -> Phrase:
    return tuple(words.stem(word) for word in text.split())


@cache
def questions(predicate: str) -> tuple[str, ...]:
    """Return questions that ask for a fact with this predicate, by the words of its name; longer phrases go first."""
    phrase = _phrase(predicate.lower().replace("_", " "))
    texts: list[str] = []
    taken: set[int] = set()
    for length in range(len(phrase), 0, -1):
        fits = [start for start in range(len(phrase) - length + 1) if phrase[start : start + length] in _by_phrase()]
        for start in fits:
            place = set(range(start, start + length))
            if not place <= taken:
                taken |= place
                texts += [text for topic in _by_phrase()[phrase[start : start + length]] for text in topic.questions]
    return tuple(dict.fromkeys(texts))
