"""Split text into chunks that fit the embedder, each with its path of headings."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from semantic_text_splitter import TextSplitter

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
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
PARAGRAPH = re.compile(r" {0,3}[^\s>#|*+\-=`~\d]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk before it is a row. `tokens` counts its text alone."""

    heading: str
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Section:
    """The text under one heading, up to the next. `path` is empty before the first heading."""

    path: tuple[str, ...]
    text: str


def chunk(text: str, *, markdown: bool, count: Count) -> list[Piece]:
    """Return pieces of at most `MAX_TOKENS` by `count`, never across a heading unless two pieces are tiny."""

    def cost(part: str) -> int:
        return max(count(part), -(-len(part) // CHARACTERS_PER_TOKEN))

    # Below its headings Markdown is cut as plain text: MarkdownSplitter prefers inline marks to sentences' ends.
    splitter = TextSplitter.from_callback(cost, MAX_TOKENS, OVERLAP_TOKENS)
    plain = [Section((), text)]
    parts = [
        Section(section.path, part)
        for section in (list(sections(text)) or plain if markdown else plain)
        for block in _blocks(section.text)
        for part in splitter.chunks(block)
    ]
    return [
        Piece(SEPARATOR.join(part.path)[:MAX_HEADING], part.text, count(part.text)) for part in _merged(parts, cost)
    ]


def sections(markdown: str) -> Iterator[Section]:
    """Yield the text between headings (`#` and underlined ones, outside fenced code), with its path of headings."""
    path: list[tuple[int, str]] = []
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        fence = _fence_after(fence, line)
        level, title, own_lines = (0, "", 0) if fence else _heading(line, lines)
        if not level:
            lines.append(line)
            continue
        yield from _section(path, lines[: len(lines) - own_lines])
        path = [*((depth, name) for depth, name in path if depth < level), (level, title)]
        lines = []
    yield from _section(path, lines)


def _section(path: list[tuple[int, str]], lines: list[str]) -> Iterator[Section]:
    text = "\n".join(lines)
    if text.strip():
        yield Section(tuple(name for _, name in path if name), text)


def _fence_after(fence: str, line: str) -> str:
    """Return the fence that is open after this line: one of the same kind and at least as long closes it."""
    mark = FENCE.match(line)
    if not mark or not fence:
        return mark[1] if mark else fence
    closes = mark[1].startswith(fence) and not line.strip(" `~")
    return "" if closes else fence


def _heading(line: str, before: list[str]) -> tuple[int, str, int]:
    """Return (level, title, lines before this one that belong to it); level 0 for a line that is no heading."""
    if heading := HEADING.match(line):
        return len(heading[1]), (heading[2] or "").strip(), 0
    paragraph = before[-1] if before else ""
    alone = len(before) < 2 or not before[-2].strip()
    if alone and PARAGRAPH.match(paragraph) and (underline := UNDERLINE.match(line)):
        return (1 if underline[1][0] == "=" else 2), paragraph.strip(), 1
    return 0, "", 0


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
    enough = any(tiny) if first.path == second.path else all(tiny)
    return enough and cost(_joined(first, second).text) <= MAX_TOKENS


def _joined(first: Section, second: Section) -> Section:
    """Return both texts under their common headings; a heading of only one of them becomes text."""
    pairs = zip(first.path, second.path, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    texts = (_titled(part, shared) for part in (first, second))
    return Section(first.path[:shared], "\n\n".join(texts))


def _titled(part: Section, shared: int) -> str:
    heading = SEPARATOR.join(part.path[shared:])
    return f"{heading}\n{part.text.strip()}" if heading else part.text.strip()
