"""Read Markdown: its text below each heading."""

import re
from collections.abc import Iterator

from kgadmin.knowledge.reading.sections import Headings, Section

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(\S.*))?$")
CLOSING = re.compile(r"(?:^|(?<=[ \t]))#+$")
UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
PARAGRAPH = re.compile(r" {0,3}[^\s>#|*+\-=`~\d]")


def sections(markdown: str) -> Iterator[Section]:
    """Yield the text between headings (`#` and underlined ones, outside fenced code), with its path of headings."""
    headings, lines, fence = Headings(), list[str](), ""
    for line in markdown.split("\n"):
        fence = _fence_after(fence, line)
        level, title, own_lines = (0, "", 0) if fence else _heading(line, lines)
        if not level:
            lines.append(line)
            continue
        yield from headings.section(lines[: len(lines) - own_lines])
        headings.enter(level, title)
        lines = []
    yield from headings.section(lines)


def _fence_after(fence: str, line: str) -> str:
    """Return the fence that is open after this line: one of the same kind and at least as long closes it."""
    mark = FENCE.match(line)
    if not mark or not fence:
        return mark[1] if mark else fence
    closes = mark[1].startswith(fence) and not line.strip(" `~")
    return "" if closes else fence


def _heading(line: str, before: list[str]) -> tuple[int, str, int]:
    """Return (level, title, lines before this one that belong to it); level 0 for a line that is no heading."""
    if heading := HEADING.match(line.rstrip(" \t")):
        return len(heading[1]), CLOSING.sub("", heading[2] or "").strip(), 0
    paragraph = before[-1] if before else ""
    alone = len(before) < 2 or not before[-2].strip()
    if alone and PARAGRAPH.match(paragraph) and (underline := UNDERLINE.match(line)):
        return (1 if underline[1][0] == "=" else 2), paragraph.strip(), 1
    return 0, "", 0
