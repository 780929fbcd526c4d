"""A background's YAML as its author wrote it, brought up to date where the sheet changed elsewhere.

Keys and rows, each with the comment lines directly above it, are blocks of text: what changed is written anew, with the
comments that stood within above it; the rest is copied.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from characters.authoring.drafts import parts
from characters.authoring.drafts.parts import Document
from characters.profiles import documents, folder, sheet_yaml
from characters.profiles.documents import SheetError
from characters.profiles.sheet_yaml import YamlError

_NAMES = {**dict(parts.KEYED.values()), "core_facts": "id"}
"""What tells the rows of a list apart; of others, all that they say does."""
_ROWS = {**dict.fromkeys(("facts", "core_facts", "runtime_facts"), folder.fact_row), "lore": folder.lore_row}
"""How the YAML has a row of these lists; of others, as the document does."""
_COMMENT = re.compile(r"(?<!\S)#.*")
_TOP = re.compile(r"(?:[ \t]*(?:#.*)?\n)*")
Lines = list[str]
Rows = dict[tuple[str, int], Any]
"""By what tells them apart, and how often that stood there before."""


@dataclass(frozen=True, slots=True)
class _Block:
    """A key or row. In `masked`, its own lines once more, values are x by x: there a # or a - is always YAML's."""

    comments: Lines
    lines: Lines
    masked: Lines
    below: Lines
    """Blank lines, and comments that are nobody's."""


def write(document: Document) -> str:
    """The YAML of a sheet that nobody wrote as YAML."""
    return folder.texts_of(documents.load(document))[folder.BACKGROUND_FILE]


def updated(text: str, before: Document, after: Document) -> str:
    """`text`, which says what `before` says, made to say what `after` says."""
    if not text.strip():
        return write(after)
    before, after = (documents.dump(documents.load(each)) for each in (before, after))
    if _content(before) == _content(after):
        return text
    try:
        new_text = "\n".join(_updated(text, before, after))
        read = folder.parse(after["identity"], new_text, name=after["name"], unfinished=True).sheet
        if _content(documents.dump(read)) == _content(after):
            return new_text
    except (YamlError, SheetError):
        pass
    top = _TOP.match(text)
    return (top[0] if top else "") + write(after)


def _content(document: Document) -> Document:
    """What YAML says of a document."""
    return document | {"facts": [fact | {"id": ""} for fact in document["facts"]], "identity": ""}


def _updated(text: str, before: Document, after: Document) -> Lines:
    """Raises `YamlError` where keys or rows have no lines of their own."""
    root = sheet_yaml.nodes(text)
    if not isinstance(root, MappingNode) or root.flow_style:
        raise YamlError("each key must be on its own line.")
    column, there = root.start_mark.column, {key.value: node for key, node in root.value}
    starts = [text.count("\n", 0, key.start_mark.index) for key, _ in root.value]
    lines, blocks = _split(text.split("\n"), _masked(text, root).split("\n"), starts, column)
    old, new = _by_key(there, before), _by_key(there, after)
    for (key, node), block in zip(there.items(), blocks, strict=True):
        lines += [*block.comments, *_section(block, column, key, node, old.get(key), new.get(key)), *block.below]
    added = [key for key in new if key not in there and old[key] != new[key]]
    end = len(lines) - len(blocks[-1].below)
    lines[end:end] = [line for key in added for line in _written(_value(key, old[key], new[key]), column, key)]
    return lines


def _masked(text: str, root: Node) -> str:
    pieces, at = [], 0
    for scalar in _scalars(root):
        start, end = scalar.start_mark.index, scalar.end_mark.index
        if scalar.style in {"|", ">"}:  # a comment may stand behind the mark
            start = max(start, text.find("\n", start, end))
        pieces += [text[at:start], re.sub(r"\S", "x", text[start:end])]
        at = end
    return "".join([*pieces, text[at:]])


def _scalars(node: Node) -> Iterator[ScalarNode]:
    if isinstance(node, ScalarNode):
        yield node
        return
    for child in node.value:
        for inner in child if isinstance(child, tuple) else (child,):
            yield from _scalars(inner)


def _split(lines: Lines, masked: Lines, starts: Sequence[int], column: int) -> tuple[Lines, list[_Block]]:
    """The lines above, and the blocks of the keys or rows that begin in this column of these lines."""
    is_comment = re.compile(rf" {{0,{column}}}#").match  # further in it is the block's above
    blocks, end = [], len(lines)
    for start in reversed(starts):
        first, stop = start, end
        while not masked[stop - 1].strip() or is_comment(masked[stop - 1]):
            stop -= 1
        while first and is_comment(masked[first - 1]):
            first -= 1
        blocks.append(_Block(lines[first:start], lines[start:stop], masked[start:stop], lines[stop:end]))
        end = first
    return lines[:end], blocks[::-1]


def _by_key(there: Mapping[str, Node], document: Document) -> dict[str, Any]:
    """What stands under each key; facts that are under two are written anew."""
    values = {key: document[key] for key in ("name", "runtime_facts", *folder.PARTS)}
    stands, other = ("core_facts", "facts") if "core_facts" in there else ("facts", "core_facts")
    return values | {stands: document["facts"], other: []}


def _section(block: _Block, column: int, key: str, node: Node, old: Any, new: Any) -> Lines:
    """A key's own lines, with another value where that changed."""
    if old == new:
        return block.lines
    if isinstance(node, SequenceNode) and not node.flow_style:
        return _rows(block, column, key, node, _named(key, old), _named(key, new))
    return _anew(block.masked, _written(_value(key, old, new, node), column, key))


def _rows(section: _Block, margin: int, key: str, node: SequenceNode, old: Rows, new: Rows) -> Lines:
    """A list's lines. Comments that are nobody's stay where the row above them goes, those at the end stay there."""
    column = node.start_mark.column
    dash = re.compile(rf" {{{column}}}-(?!\S)").match
    starts = [number for number, line in enumerate(section.masked) if dash(line)]
    if len(starts) != len(old):
        raise YamlError("each row must be on its own line.")
    head, split = _split(section.lines, section.masked, starts, column)
    end, split[-1] = split[-1].below, replace(split[-1], below=[])
    there = dict(zip(old, zip(split, node.value, strict=True), strict=True))
    if key not in _NAMES and len(old) == len(new):  # a text that was changed stands where it stood
        pairs = zip(old, new.items(), strict=True)
        new = {was if name not in old and was not in new else name: row for was, (name, row) in pairs}
    below: dict[tuple[str, int] | None, Lines] = defaultdict(list)
    above = None
    for name, (block, _) in there.items():
        above = name if name in new else above
        below[above] += block.below if name in new or "#" in "".join(block.below) else []
    lines = [*(head if new else _anew(section.masked[: len(head)], _written([], margin, key))), *below[None]]
    for name, row in new.items():
        lines += _row(*there[name], column, old[name], row) if name in there else _written(row, column)
        lines += below[name]
    return [*lines, *end]


def _row(block: _Block, node: Node, column: int, old: Any, new: Any) -> Lines:
    lines = block.lines if old == new else _anew(block.masked, _written(_unsaid(node, old, new), column))
    return [*block.comments, *lines]


def _named(key: str, rows: Sequence[Any]) -> Rows:
    counts: Counter[str] = Counter()
    named = {}
    for row in rows:
        name = row[_NAMES[key]] if key in _NAMES else repr(row)
        named[name, counts[name]] = _ROWS[key](row) if key in _ROWS else row
        counts[name] += 1
    return named


def _value(key: str, old: Any, new: Any, node: Node | None = None) -> Any:
    return [*_named(key, new).values()] if isinstance(new, list) else _unsaid(node, old, new)


def _unsaid(node: Node | None, before: Any, after: Any) -> Any:
    """`after` without what the text doesn't say, and which is as it was."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return after
    there = {key.value: value for key, value in node.value} if isinstance(node, MappingNode) else {}
    return {
        key: _unsaid(there.get(key), before.get(key), value)
        for key, value in after.items()
        if key in there or value != before.get(key)
    }


def _anew(masked: Lines, written: Lines) -> Lines:
    """What is written in place of these lines, the comments that stood in them above it."""
    margin = " " * (len(written[0]) - len(written[0].lstrip()))
    return [*(margin + comment[0] for line in masked if (comment := _COMMENT.search(line))), *written]


def _written(value: Any, column: int, key: str = "") -> Lines:
    """A key with this value, or a row, beginning in this column."""
    lines = sheet_yaml.write({key: value} if key else {"k": [value]}).split("\n")[:-1]
    by = column if key else column - 2  # where rows are written below their key
    return [" " * by + line if line and by > 0 else line[max(0, -by) :] for line in (lines if key else lines[1:])]
