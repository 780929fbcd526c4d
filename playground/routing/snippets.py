"""About two lines of a text around the words of a message."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from characters.domain import words

LENGTH = 220
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class Piece(NamedTuple):
    """A stretch of text; `is_word` if it is a word of the message."""

    text: str
    is_word: bool


def snippet(text: str, message: str) -> list[Piece]:
    """Return the stretch of `LENGTH` characters with most of the message's words, those words apart."""
    text = " ".join(text.split())
    asked = set(words.stems(message))
    spans = [match.span() for match in _WORD.finditer(text) if words.stem(match.group().lower()) in asked]
    start = _best_start(text, spans)
    end = start + LENGTH
    shown = [span for span in spans if start <= span[0] and span[1] <= end]
    pieces = list(_pieces(text[:end], start, shown))
    return [
        *([Piece("… ", is_word=False)] if start else []),
        *pieces,
        *([Piece(" …", is_word=False)] if end < len(text) else []),
    ]


def _best_start(text: str, spans: list[tuple[int, int]]) -> int:
    """Return where to begin: at a word, a little before the window with most marked words."""
    if len(text) <= LENGTH or not spans:
        return 0
    first = max(spans, key=lambda span: sum(span[0] <= other < span[0] + LENGTH * 3 // 4 for other, _ in spans))[0]
    wanted = min(max(0, first - LENGTH // 4), len(text) - LENGTH)
    return text.rfind(" ", 0, wanted + 1) + 1 if wanted else 0


def _pieces(text: str, start: int, spans: list[tuple[int, int]]) -> Iterator[Piece]:
    for begin, end in spans:
        if begin > start:
            yield Piece(text[start:begin], is_word=False)
        yield Piece(text[begin:end], is_word=True)
        start = end
    if start < len(text):
        yield Piece(text[start:], is_word=False)
