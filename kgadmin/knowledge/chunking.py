"""Split sections into chunks that fit the embedder, each with its path of headings and its place."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from semantic_text_splitter import TextSplitter

from kgadmin.knowledge.reading.sections import Section, spanning
from kgadmin.rest.actions import Refused

MAX_TOKENS = 200
"""Tokens of a chunk, unless its base has another size: all-MiniLM-L6-v2 reads 256; the heading path and its two marks
need room.
"""
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


def check_sizes(max_tokens: int, overlap_tokens: int) -> None:
    """Raise `Refused` for an overlap of half a chunk or more."""
    if 2 * overlap_tokens >= max_tokens:
        most = (max_tokens - 1) // 2
        sentence = f"Chunks of {max_tokens} tokens can overlap by less than half: by at most {most}."
        raise Refused(sentence, field="overlap_tokens")


def chunk(
    sections: Sequence[Section], *, count: Count, max_tokens: int = MAX_TOKENS, overlap_tokens: int = OVERLAP_TOKENS
) -> list[Piece]:
    """Return pieces of at most `max_tokens` by `count`, never across sections unless two pieces are tiny."""

    def cost(part: str) -> int:
        return max(count(part), -(-len(part) // CHARACTERS_PER_TOKEN))

    # Below its headings Markdown is cut as plain text: MarkdownSplitter prefers inline marks to sentences' ends.
    splitter = TextSplitter.from_callback(cost, max_tokens, overlap_tokens)
    parts = [
        replace(section, text=part)
        for section in sections
        for block in _blocks(section.text)
        for part in splitter.chunks(block)
    ]
    return [
        Piece(SEPARATOR.join(part.path)[:MAX_HEADING], part.text, count(part.text), part.place)
        for part in _merged(parts, cost, max_tokens)
    ]


def _blocks(text: str) -> Iterator[str]:
    while len(text) > BLOCK_CHARACTERS:
        cuts = (text.rfind(border, BLOCK_CHARACTERS // 2, BLOCK_CHARACTERS) for border in ("\n\n", "\n", " "))
        cut = next((cut for cut in cuts if cut > 0), BLOCK_CHARACTERS)
        yield text[:cut]
        text = text[cut:]
    yield text


def _merged(parts: list[Section], cost: Count, max_tokens: int) -> list[Section]:
    """Join a tiny part, which would match any query, with its neighbour; across a heading both must be tiny."""
    merged: list[Section] = []
    for part in parts:
        if merged and _belong_together(merged[-1], part, cost, max_tokens):
            merged[-1] = _joined(merged[-1], part)
        else:
            merged.append(part)
    return merged


def _belong_together(first: Section, second: Section, cost: Count, max_tokens: int) -> bool:
    tiny = [cost(part.text) < TINY_TOKENS for part in (first, second)]
    enough = any(tiny) if (first.path, first.place) == (second.path, second.place) else all(tiny)
    return enough and cost(_joined(first, second).text) <= max_tokens


def _joined(first: Section, second: Section) -> Section:
    """Return both texts under their common headings; a heading of only one of them becomes text."""
    pairs = zip(first.path, second.path, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    texts = (_titled(part, shared) for part in (first, second))
    return Section(first.path[:shared], "\n\n".join(texts), spanning(first.place, second.place))


def _titled(part: Section, shared: int) -> str:
    heading = SEPARATOR.join(part.path[shared:])
    return f"{heading}\n{part.text.strip()}" if heading else part.text.strip()
