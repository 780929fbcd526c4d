"""Split texts into sentences that keep their offsets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

HIDDEN = "\x01"
"""Replaces each character of text that must not be read. No pattern matches it."""
_END = re.compile(
    r"[.!?…]+(?=[\s\x01]|$)|\n|[^\S\n]{30,}"
    r"|(?<![\U0001F000-\U0001FAFF\u2600-\u27BF])[\U0001F000-\U0001FAFF\u2600-\u27BF]++[\uFE0F\u200D]*(?=\s+[A-Z\x01]|\s*$)"
)
_ABBREVIATION = re.compile(r"(?:\b(?:Dr|Mr|Mrs|Ms|St|Prof|Jr|Sr|Mt|No|vs|etc|e\.g|i\.e|cf|approx)|(?:^|[\s.])[A-Z])\.$")
_TAG = re.compile(r"[,;–—-]\s*(?:don't|do|and|how\ about|what\ about)\s+you\s*$", re.IGNORECASE)
"""Tags that turn a statement to the listener: ", don't you?"."""
_BULLET = re.compile(r"\s*(?:[-•–+]|\d{1,3}[.)])\s+")


def hidden(text: str) -> str:
    """Return `text` with each character but line breaks replaced by `HIDDEN`."""
    return re.sub(r"[^\n]", HIDDEN, text)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text, with the offset at which it starts."""

    text: str
    start: int

    def part(self, start: int, end: int | None = None) -> "Stretch":
        """Return this stretch from `start` to `end`, without surrounding white space."""
        part = self.text[start:end]
        return Stretch(part.strip(), self.start + start + len(part) - len(part.lstrip()))

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without its end mark; `mark` is for example "?", or empty at the end of a line."""

    words: Stretch
    mark: str
    is_item: bool = False
    """Whether it began with a bullet."""

    @property
    def is_question(self) -> bool:
        return "?" in self.mark


def stretches(text: str) -> Iterator[Stretch]:
    """Yield the sentences of a text with their end marks; a line break ends a sentence."""
    full = Stretch(text, 0)
    sentences = (full.part(start, end + len(mark)) for start, end, mark in _spans(text))
    return (sentence for sentence in sentences if sentence.text.strip(".!?… "))


def texts(text: str) -> Iterator[str]:
    """Yield what `stretches` does, without offsets."""
    return (sentence.text for sentence in stretches(text))


def split(text: str, longest: int) -> Iterator[Sentence]:
    """Yield the sentences of at most `longest` characters, without bullets and tags such as ", don't you?"."""
    for start, end, mark in _spans(text):
        words = text[start:end]
        if len(words) > longest or not words.strip():
            continue
        if "?" in mark and (tag := _TAG.search(words)):
            words, mark = words[: tag.start()], "."  # noqa: PLW2901
        bullet = _BULLET.match(words)
        yield Sentence(Stretch(words, start).part(bullet.end() if bullet else 0), mark, bullet is not None)


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the start, end and end mark of each sentence."""
    start = 0
    for end in _END.finditer(text):
        before = text[max(start, end.start() - 8) : end.end()]
        if end.group() == "." and (_ABBREVIATION.search(before) or before[:-1].strip().isdigit()):
            continue
        yield start, end.start(), end.group().strip()
        start = end.end()
    yield start, len(text), ""
