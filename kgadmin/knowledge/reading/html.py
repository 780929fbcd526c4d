"""Read HTML, and what other readers make HTML of."""

import re
from collections.abc import Iterator, Mapping, Sequence

from selectolax.lexbor import LexborHTMLParser, LexborNode

from kgadmin.knowledge.reading.sections import Headings, Section
from kgadmin.knowledge.reading.tables import rows_as_text

LEFT_OUT = (
    "head, script, style, nav, template, noscript, svg, iframe, object, input, select, textarea, [hidden],"
    " button:not(:is(h1, h2, h3, h4, h5, h6, summary) *)"
)
"""A button in a heading opens what stands below it, and is its text."""
_BLOCKS = frozenset(
    "address article aside blockquote body caption dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6"
    " header hr html li main ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?([\w-]{1,40})", re.IGNORECASE)
_HEADING = re.compile(r"h[1-6]$")
_SPAN = re.compile(r"\s*([1-9]\d{0,3})(?!\d)")
MAX_COLUMNS = 100
"""Columns up to which a merged cell is repeated."""
_BREAK = "\x1e"
"""Stands for a new line inside a block, where white space means nothing."""


def declared_encoding(content: bytes) -> str:
    """Return the encoding that a page names in its head, or an empty string."""
    match = _CHARSET.search(content[:4096])
    return match[1].decode() if match else ""


def sections(markup: str) -> Iterator[Section]:
    """Yield the visible text below each heading."""
    tree = LexborHTMLParser(markup)
    for node in tree.css(LEFT_OUT):
        node.decompose()
    for node in tree.css("br"):
        node.replace_with(_BREAK)
    for table in reversed(tree.css("table")):  # inner ones first
        table.replace_with(_BREAK + _BREAK.join(_lines(table)) + _BREAK)
    headings, lines = Headings(), list[str]()
    for block, text in _blocks(tree.root) if tree.root else ():
        if _HEADING.match(block.tag or ""):
            yield from headings.section(lines)
            headings.enter(int((block.tag or "h1")[1]), text)
            lines = []
        else:
            lines.append(text)
    yield from headings.section(lines)


def _blocks(root: LexborNode) -> Iterator[tuple[LexborNode, str]]:
    """Yield each block with the text that stands directly in it, in the document's order."""
    current: LexborNode | None = None
    parts: list[str] = []
    for node in root.traverse(include_text=True):
        if node.tag != "-text":
            continue
        block = _block_of(node)
        if current is not None and block.mem_id != current.mem_id:
            if text := _joined(parts):
                yield current, text
            parts = []
        current = block
        parts.append(node.text_content or "")
    if current is not None and (text := _joined(parts)):
        yield current, text


def _block_of(node: LexborNode) -> LexborNode:
    above = node.parent or node
    while above.tag not in _BLOCKS and above.parent is not None:
        above = above.parent
    return above


def _joined(parts: Sequence[str]) -> str:
    return "\n".join(filter(None, (" ".join(line.split()) for line in "".join(parts).split(_BREAK))))


def _lines(table: LexborNode) -> list[str]:
    """Return a table's rows as text; what stands across it, above its header, is a title."""
    rows = _rows(table)
    header = next((number for number, row in enumerate(rows) if len(row) > 1), 0)
    return [*(row[0] for row in rows[:header] if row), *rows_as_text(rows[header:])]


def _rows(table: LexborNode) -> list[list[str]]:
    """Return the cells of each row: a merged one in every place that it covers, or alone if it is all of its row."""
    rows, spans = list[list[str]](), dict[int, tuple[str, int]]()
    for number, line in enumerate(table.css("tr")):
        row, cells = list[str](), line.css("td, th")
        for cell in cells:
            row += _from_above(spans, len(row), number)
            text, height = " ".join(text for _, text in _blocks(cell)), _span(cell, "rowspan")
            for _ in range(max(1, min(_span(cell, "colspan"), MAX_COLUMNS - len(row)))):
                spans[len(row)] = text, number + height
                row.append(text)
        row += _from_above(spans, len(row), number)
        rows.append(row[:1] if len(cells) == 1 and len(set(row)) == 1 else row)
    return rows


def _from_above(spans: Mapping[int, tuple[str, int]], column: int, row: int) -> Iterator[str]:
    """Yield the cells of earlier rows that reach into this one, from `column` on."""
    while column in spans and spans[column][1] > row:
        yield spans[column][0]
        column += 1


def _span(cell: LexborNode, name: str) -> int:
    match = _SPAN.match(cell.attributes.get(name) or "")
    return int(match[1]) if match else 1
