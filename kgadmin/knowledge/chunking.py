"""Split sections into chunks that fit the embedder, each with its path of headings and its place."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from semantic_text_splitter import TextSplitter

from kgadmin.knowledge.reading.sections import Section, spanning

MAX_TOKENS = 200
"""all-MiniLM-L6-v2 reads 256 tokens; the heading path and its two marks need room."""
OVERLAP_TOKENS = 30
TINY_TOKENS = 30
CHARACTERS_PER_TOKEN = 10
"""Limits a chunk to 2,000 characters as well, since WordPiece takes a word of 100 kB for one unknown token."""
BLOCK_CHARACTERS = 20_000
"""The splitter needs quadratic time on some hostile texts (50 kB of '>': 6 s), so it gets them in blocks."""
MAX_HEADING = 300
SEPARATOR = " > "

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk before it is a row. `tokens` counts its text alone."""

    heading: str
    text: str
    tokens: int
    place: str = ""


def chunk(sections: Sequence[Section], *, count: Count) -> list[Piece]:
    """Return pieces of at most `MAX_TOKENS` by `count`, never across sections unless two pieces are tiny."""

    def cost(part: str) -> int:
        return max(count(part), -(-len(part) // CHARACTERS_PER_TOKEN))

    # Below its headings Markdown is cut as plain text: MarkdownSplitter prefers inline marks to sentences' ends.
    splitter = TextSplitter.from_callback(cost, MAX_TOKENS, OVERLAP_TOKENS)
    parts = [
        replace(section, text=part)
        for section in sections
        for block in _blocks(section.text)
        for part in splitter.chunks(block)
    ]
    return [
        Piece(SEPARATOR.join(part.path)[:MAX_HEADING], part.text, count(part.text), part.place)
        for part in _merged(parts, cost)
    ]


def _blocks(text: str) -> Iterator[str]:
    while len(text) > BLOCK_CHARACTERS:
        cuts = (text.rfind(border, BLOCK_CHARACTERS // 2, BLOCK_CHARACTERS) for border in ("\n\n", "\n", " "))
        cut = next((cut for cut in cuts if cut > 0), BLOCK_CHARACTERS)
        yield text[:cut]
        text = text[cut:]
    yield text


def _merged(parts: list[Section], cost: Count) -> list[Section]:
    """Join a tiny part, which would match any query, with its neighbour; across a heading both must be tiny."""
    merged: list[Section] = []
    for part in parts:
        if merged and _belong_together(merged[-1], part, cost):
            merged[-1] = _joined(merged[-1], part)
        else:
            merged.append(part)
    return merged


def _belong_together(first: Section, second: Section, cost: Count) -> bool:
    tiny = [cost(part.text) < TINY_TOKENS for part in (first, second)]
    enough = any(tiny) if (first.path, first.place) == (second.path, second.place) else all(tiny)
    return enough and cost(_joined(first, second).text) <= MAX_TOKENS


def _joined(first: Section, second: Section) -> Section:
    """Return both texts under their common headings; a heading of only one of them becomes text."""
    pairs = zip(first.path, second.path, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    texts = (_titled(part, shared) for part in (first, second))
    return Section(first.path[:shared], "\n\n".join(texts), spanning(first.place, second.place))


def _titled(part: Section, shared: int) -> str:
    heading = SEPARATOR.join(part.path[shared:])
    return f"{heading}\n{part.text.strip()}" if heading else part.text.strip()
