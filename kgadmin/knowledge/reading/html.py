"""Read HTML, and what other readers make HTML of."""

import re
from collections.abc import Iterator, Sequence

from selectolax.lexbor import LexborHTMLParser, LexborNode

from kgadmin.knowledge.reading.sections import Headings, Section
from kgadmin.knowledge.reading.tables import rows_as_text

LEFT_OUT = (
    "head, script, style, nav, template, noscript, svg, iframe, object, button, input, select, textarea, [hidden]"
)
_BLOCKS = frozenset(
    "address article aside blockquote body caption dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6"
    " header hr html li main ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?([\w-]{1,40})", re.IGNORECASE)
_HEADING = re.compile(r"h[1-6]$")
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
        table.replace_with(_BREAK + _BREAK.join(rows_as_text(_cells(table))) + _BREAK)
    headings, lines = Headings(), list[str]()
    for block, text in _blocks(tree):
        if _HEADING.match(block.tag or ""):
            yield from headings.section(lines)
            headings.enter(int((block.tag or "h1")[1]), text)
            lines = []
        else:
            lines.append(text)
    yield from headings.section(lines)


def _blocks(tree: LexborHTMLParser) -> Iterator[tuple[LexborNode, str]]:
    """Yield each block with the text that stands directly in it, in the document's order."""
    current: LexborNode | None = None
    parts: list[str] = []
    if tree.root is None:
        return
    for node in tree.root.traverse(include_text=True):
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


def _cells(table: LexborNode) -> list[list[str]]:
    return [[" ".join(cell.text().split()) for cell in row.css("td, th")] for row in table.css("tr")]
