"""Texts cut into sentences; each knows its place in the text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

HIDDEN = "\x01"
"""Stands for every character of a text that nothing is read out of. No pattern matches it."""
_END = re.compile(
    r"[.!?…]+(?=[\s\x01]|$)|\n|[^\S\n]{30,}"
    r"|[\U0001F000-\U0001FAFF\u2600-\u27BF]+[\uFE0F\u200D]*(?=\s+[A-Z\x01]|\s*$)"
)
_ABBREVIATION = re.compile(r"(?:\b(?:Dr|Mr|Mrs|Ms|St|Prof|Jr|Sr|Mt|No|vs|etc|e\.g|i\.e|cf|approx)|(?:^|[\s.])[A-Z])\.$")
_TAG = re.compile(r"[,;–—-]\s*(?:don't|do|and|how\ about|what\ about)\s+you\s*$", re.IGNORECASE)
"""What turns a statement to the other: ", don't you?"."""
_BULLET = re.compile(r"\s*(?:[-•–+]|\d{1,3}[.)])\s+")


def hidden(text: str) -> str:
    """As many signs and lines as `text` has, of which nothing is read."""
    return re.sub(r"[^\n]", HIDDEN, text)


@dataclass(frozen=True, slots=True)
class Stretch:
    """`text` stands at `start` in what was cut."""

    text: str
    start: int

    def part(self, start: int, end: int | None = None) -> "Stretch":
        """The stretch from `start` to `end` of this one, without the white space around it."""
        part = self.text[start:end]
        return Stretch(part.strip(), self.start + start + len(part) - len(part.lstrip()))

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without what ends it: `mark`, "?" or nothing at the end of a line."""

    words: Stretch
    mark: str
    is_item: bool = False
    """Whether it began with a bullet."""

    @property
    def is_question(self) -> bool:
        return "?" in self.mark


def stretches(text: str) -> Iterator[Stretch]:
    """The sentences of a text with their marks; a line ends one."""
    full = Stretch(text, 0)
    sentences = (full.part(start, end + len(mark)) for start, end, mark in _spans(text))
    return (sentence for sentence in sentences if sentence.text.strip(".!?… "))


def texts(text: str) -> Iterator[str]:
    """As `stretches`, without their places."""
    return (sentence.text for sentence in stretches(text))


def split(text: str, longest: int) -> Iterator[Sentence]:
    """The sentences of at most `longest` characters; a bullet, and a tag that asks, are cut off."""
    for start, end, mark in _spans(text):
        words = text[start:end]
        if len(words) > longest or not words.strip():
            continue
        if "?" in mark and (tag := _TAG.search(words)):
            words, mark = words[: tag.start()], "."  # noqa: PLW2901
        bullet = _BULLET.match(words)
        yield Sentence(Stretch(words, start).part(bullet.end() if bullet else 0), mark, bullet is not None)


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each sentence begins and ends, and its mark."""
    start = 0
    for end in _END.finditer(text):
        before = text[max(start, end.start() - 8) : end.end()]
        if end.group() == "." and (_ABBREVIATION.search(before) or before[:-1].strip().isdigit()):
            continue
        yield start, end.start(), end.group().strip()
        start = end.end()
    yield start, len(text), ""
