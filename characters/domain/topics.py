"""What people ask about, by topic, and which predicates stand for a topic: HAS_FATHER is asked for as a father.

`topics.txt` has the words and the questions; it was written for this program.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from characters.domain import words

FILE = Path(__file__).parent / "topics.txt"

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """Stems of the phrases that name it in a predicate, and what people ask about it."""

    phrases: frozenset[Phrase]
    questions: tuple[str, ...]


def read_blocks(file: Path) -> Iterator[tuple[str, list[str]]]:
    """The blocks of a text file of this folder: what stands behind "=", and the lines below it."""
    heading, lines = "", list[str]()
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            if heading:
                yield heading, lines
            heading, lines = line[2:], []
        elif line and not line.startswith("#"):
            lines.append(line)
    yield heading, lines


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
    """What people ask to hear a fact with this predicate, by the words of its name; longer phrases go first."""
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
