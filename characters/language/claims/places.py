"""A stretch of the masked reply, by its place: sentences, and the clauses in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_SENTENCE = 600
"""What is longer is no prose."""

_END = re.compile(
    r"[.!?…]+(?=[\s\x01]|$)|\n|[^\S\n]{30,}"
    r"|[\U0001F000-\U0001FAFF\u2600-\u27BF]+[\uFE0F\u200D]*(?=\s+[A-Z\x01]|\s*$)"
)
_ABBREVIATION = re.compile(r"(?:\b(?:Dr|Mr|Mrs|Ms|St|Prof|Jr|Sr|Mt|No|vs|etc|e\.g|i\.e|cf|approx)|(?:^|[\s.])[A-Z])\.$")
_TAG = re.compile(r"[,;–—-]\s*(?:don't|do|and|how\ about|what\ about)\s+you\s*$", re.IGNORECASE)
"""What turns a statement to the other: ", don't you?"."""
_BULLET = re.compile(r"\s*(?:[-•–+]|\d{1,3}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Stretch:
    """`text` stands at `start` in the masked reply."""

    text: str
    start: int

    def part(self, start: int, end: int | None = None) -> "Stretch":
        """The stretch from `start` to `end` of this one, without the white space around it."""
        said = self.text[start:end]
        return Stretch(said.strip(), self.start + start + len(said) - len(said.lstrip()))

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with what ends it ("?", or nothing at the end of a line)."""

    said: Stretch
    mark: str
    is_item: bool = False
    """Whether it began with a bullet."""

    @property
    def is_question(self) -> bool:
        return "?" in self.mark


def sentences(masked: str) -> Iterator[Sentence]:
    """The sentences of a reply; a line ends one, a bullet is cut off."""
    start = 0
    for end in _END.finditer(masked):
        before = masked[max(start, end.start() - 8) : end.end()]
        if end.group() == "." and (_ABBREVIATION.search(before) or before[:-1].strip().isdigit()):
            continue
        yield from _sentence(masked, start, end.start(), end.group())
        start = end.end()
    yield from _sentence(masked, start, len(masked), "")


def _sentence(masked: str, start: int, end: int, mark: str) -> Iterator[Sentence]:
    said = masked[start:end]
    if len(said) > MAX_SENTENCE or not said.strip():
        return
    tag = _TAG.search(said) if "?" in mark else None
    if tag:
        said, mark = said[: tag.start()], "."
    bullet = _BULLET.match(said)
    yield Sentence(Stretch(said, start).part(bullet.end() if bullet else 0), mark, bool(bullet))
