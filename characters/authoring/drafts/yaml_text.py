"""Update the YAML that an author wrote where the sheet changed elsewhere, keeping comments and order.

A key or row, with the comment lines directly above it, is a block of text. A changed block is written anew, below the
comments that it contained; the others are copied.
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
"""Key that identifies a row of each list; in other lists, the whole row does."""
_ROWS = {**dict.fromkeys(("facts", "core_facts", "runtime_facts"), folder.fact_row), "lore": folder.lore_row}
"""Function that gives a row of each list as YAML has it; in other lists, YAML and the document agree."""
_COMMENT = re.compile(r"(?<!\S)#.*")
_TOP = re.compile(r"(?:[ \t]*(?:#.*)?\n)*")
Lines = list[str]
Rows = dict[tuple[str, int], Any]
"""Rows by what identifies them, and by how many earlier rows have the same."""


@dataclass(frozen=True, slots=True)
class _Block:
    """A key or row. `masked` is `lines` with the characters of values as x, so that # and - are always syntax."""

    comments: Lines
    lines: Lines
    masked: Lines
    below: Lines
    """Blank lines, and comments that belong to no block."""


def write(document: Document) -> str:
    """Return the YAML of a sheet that nobody wrote as YAML."""
    return folder.texts_of(documents.load(document))[folder.BACKGROUND_FILE]


def updated(text: str, before: Document, after: Document) -> str:
    """Return `text`, which says what `before` says, changed to say what `after` says."""
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
    """Return a document without identity and fact ids, which YAML doesn't say."""
    return document | {"facts": [fact | {"id": ""} for fact in document["facts"]], "identity": ""}


def _updated(text: str, before: Document, after: Document) -> Lines:
    """Return the updated lines. Raises `YamlError` if keys or rows share a line."""
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
        if scalar.style in {"|", ">"}:  # a comment may follow the mark
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
    """Return the lines above the first block, and the blocks that begin at `starts`, in this column."""
    is_comment = re.compile(rf" {{0,{column}}}#").match  # indented further, it belongs to the block above
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
    """Return the value of each key; all facts stand under `core_facts` if the text has it, else under `facts`."""
    values = {key: document[key] for key in ("name", "runtime_facts", *folder.PARTS)}
    stands, other = ("core_facts", "facts") if "core_facts" in there else ("facts", "core_facts")
    return values | {stands: document["facts"], other: []}


def _section(block: _Block, column: int, key: str, node: Node, old: Any, new: Any) -> Lines:
    """Return a key's own lines, written anew if its value changed."""
    if old == new:
        return block.lines
    if isinstance(node, SequenceNode) and not node.flow_style:
        return _rows(block, column, key, node, _named(key, old), _named(key, new))
    return _anew(block.masked, _written(_value(key, old, new, node), column, key))


def _rows(section: _Block, margin: int, key: str, node: SequenceNode, old: Rows, new: Rows) -> Lines:
    """Return a list's lines. Comments of no block follow the row above them; those at the end stay there."""
    column = node.start_mark.column
    dash = re.compile(rf" {{{column}}}-(?!\S)").match
    starts = [number for number, line in enumerate(section.masked) if dash(line)]
    if len(starts) != len(old):
        raise YamlError("each row must be on its own line.")
    head, split = _split(section.lines, section.masked, starts, column)
    end, split[-1] = split[-1].below, replace(split[-1], below=[])
    there = dict(zip(old, zip(split, node.value, strict=True), strict=True))
    if key not in _NAMES and len(old) == len(new):  # a changed text keeps its place
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
    """Return `after` without keys that the text doesn't have and that haven't changed."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return after
    there = {key.value: value for key, value in node.value} if isinstance(node, MappingNode) else {}
    return {
        key: _unsaid(there.get(key), before.get(key), value)
        for key, value in after.items()
        if key in there or value != before.get(key)
    }


def _anew(masked: Lines, written: Lines) -> Lines:
    """Return `written`, below the comments of the lines that it replaces."""
    margin = " " * (len(written[0]) - len(written[0].lstrip()))
    return [*(margin + comment[0] for line in masked if (comment := _COMMENT.search(line))), *written]


def _written(value: Any, column: int, key: str = "") -> Lines:
    """Return the lines of a key with this value, or of a row, beginning in this column."""
    lines = sheet_yaml.write({key: value} if key else {"k": [value]}).split("\n")[:-1]
    by = column if key else column - 2  # rows are written two columns further in than their key
    return [" " * by + line if line and by > 0 else line[max(0, -by) :] for line in (lines if key else lines[1:])]
