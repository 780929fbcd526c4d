"""YAML changed as text: values are replaced where they stand, so that comments, quotes and order stay.

Of a row that is removed the comments directly above go with it, and those within.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from characters.authoring.drafts.yaml_lines import in_flow, mapping_lines, row_lines, value_lines
from characters.authoring.drafts.yaml_source import Edit, Source, UnusualError, applied, is_flow, is_nothing

OPTIONAL = {"questions"}
"""Keys that go where nothing is left of them, everywhere; others say so with [] or ''."""

_TRAILING = re.compile(r"(?<!\S)#.*")


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a value stands: behind the colon of a key or the dash of a row, which begins in `column`."""

    column: int
    after: int
    is_row: bool = False
    is_flow: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is wanted: `place` is where it stands, None for a new one."""

    place: int | None
    before: Any
    after: Any


def changed(source: Source, node: Node, before: Any, after: Any, slot: Slot) -> Iterator[Edit]:
    """What makes a node that says `before` say `after`."""
    if before == after:
        return
    if isinstance(node, MappingNode) and isinstance(before, dict) and isinstance(after, dict):
        yield from mapping(source, node, before, after)
    elif isinstance(node, SequenceNode) and isinstance(before, list) and isinstance(after, list):
        yield from sequence(source, node, _pairs(before, after), slot)
    else:
        yield from _replaced(source, node, after, slot)


def _pairs(before: list[Any], after: list[Any]) -> list[Row]:
    """Rows by the key that names them; texts by what they say, else by their place."""
    name = next(
        (key for key in ("slug", "id", "name") if before and isinstance(before[0], dict) and key in before[0]), ""
    )
    known = [row[name] if name else row for row in before]
    wanted = [row[name] if name else row for row in after]
    if not name and len(known) == len(wanted):
        return [Row(place, *both) for place, both in enumerate(zip(before, after, strict=True))]
    left = list(range(len(known)))
    rows = []
    for key, value in zip(wanted, after, strict=True):
        place = next((each for each in left if known[each] == key), None)
        if place is not None:
            left.remove(place)
        rows.append(Row(place, None if place is None else before[place], value))
    return rows


# ---------------------------------------------------------------- a value


def _replaced(source: Source, node: Node, value: Any, slot: Slot) -> Iterator[Edit]:
    start, stop = node.start_mark.index, source.stop(node)
    if is_nothing(node) and not slot.is_flow:
        start = stop = slot.after
    if not isinstance(node, ScalarNode) and not is_flow(node):
        raise UnusualError
    space = " " if start == slot.after else ""
    if slot.is_flow:
        yield Edit(start, stop, space + in_flow(value, slot.column))
        return
    style = node.style if isinstance(node, ScalarNode) else None
    first, rest = (row_lines if slot.is_row else value_lines)(value, style, slot.column)
    if style in {"|", ">"}:  # its comment stands behind the mark, its text below
        header = source.text[start : source.end(source.line(start))]
        comment = _TRAILING.search(header)
        yield Edit(start, stop, "\n".join([first + (f"  {comment[0]}" if comment else ""), *rest]))
        return
    yield from _hoisted(source, node, ())
    yield Edit(start, stop, space + first) if first else Edit(slot.after, stop, "")
    if rest:
        end = source.end(source.line(stop))
        yield Edit(end, end, "".join(f"\n{line}" for line in rest))


def _hoisted(source: Source, node: Node, kept: Sequence[Node]) -> Iterator[Edit]:
    """Comments between the brackets of a list that is written anew go above it; those in kept nodes stay there."""
    if isinstance(node, ScalarNode):
        return
    start, end = node.start_mark.index, node.end_mark.index
    stay = {id(each) for each in kept}
    whole = (inner for each in _inner(node) for inner in ([each] if id(each) in stay else _scalars(each)))
    silent = [Edit(each.start_mark.index, each.end_mark.index, "") for each in whole]
    found = _TRAILING.findall(applied(source.text, silent, start, end))
    line = source.start(source.line(start))
    margin = " " * (len(source.of(source.line(start))) - len(source.of(source.line(start)).lstrip()))
    if found:
        yield Edit(line, line, "".join(f"{margin}{comment}\n" for comment in found))


def _inner(node: Node) -> list[Node]:
    return [inner for each in node.value for inner in (each if isinstance(each, tuple) else (each,))]


def _scalars(node: Node) -> Iterator[Node]:
    if isinstance(node, ScalarNode):
        yield node
    else:
        for inner in _inner(node):
            yield from _scalars(inner)


# ---------------------------------------------------------------- a mapping


def mapping(
    source: Source, node: MappingNode, before: dict[str, Any], after: dict[str, Any], optional: set[str] = OPTIONAL
) -> Iterator[Edit]:
    """What makes a mapping say `after`; keys that it doesn't have come last."""
    there = {key.value: (key, value) for key, value in node.value}
    added: dict[str, Any] = {}
    for name in [*after, *(each for each in before if each not in after)]:
        was, value = before.get(name), after.get(name)
        if name in before and was == value:
            continue
        is_gone = value is None or (name in optional and not value)
        if name not in there:
            added |= {} if is_gone else {name: _different(was, value)}
        elif is_gone and (is_flow(node) or _begins_line(source, there[name][0])):
            yield _without(source, node, [key for key, _ in node.value].index(there[name][0]))
        else:
            key, child = there[name]
            yield from changed(source, child, was, value, slot_of(source, node, key))
    if added:
        yield _with(source, node, added)


def slot_of(source: Source, node: MappingNode, key: Node) -> Slot:
    """Where the value of a mapping's key stands."""
    return Slot(node.start_mark.column, source.behind_colon(key), is_flow=is_flow(node))


def _different(before: Any, after: Any) -> Any:
    """Of a mapping that isn't written, what isn't as it was: the rest goes without saying."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return after
    return {key: _different(before.get(key), value) for key, value in after.items() if before.get(key) != value}


def _begins_line(source: Source, key: Node) -> bool:
    return not source.of(source.line(key.start_mark.index))[: key.start_mark.column].strip()


def _without(source: Source, node: MappingNode, place: int) -> Edit:
    key, value = node.value[place]
    if not is_flow(node):
        first, last = source.line(key.start_mark.index), source.last_line(value)
        if first == 0:
            return Edit(0, source.start(last + 1), "")
        return Edit(source.start(first) - 1, source.end(last), "")
    if place:
        return Edit(node.value[place - 1][1].end_mark.index, value.end_mark.index, "")
    end = node.value[1][0].start_mark.index if len(node.value) > 1 else value.end_mark.index
    return Edit(key.start_mark.index, end, "")


def _with(source: Source, node: MappingNode, added: dict[str, Any]) -> Edit:
    column = node.start_mark.column
    if is_flow(node):
        told = in_flow(added, column)[1:-1]
        end = node.value[-1][1].end_mark.index if node.value else node.start_mark.index + 1
        return Edit(end, end, f", {told}" if node.value else told)
    line = source.last_line(node)
    while not column and source.says_nothing(line + 1) and source.of(line + 1).startswith(" "):
        line += 1  # comments that still belong to the part above
    return Edit(source.end(line), source.end(line), "".join(f"\n{each}" for each in mapping_lines(added, column)))


# ---------------------------------------------------------------- a list


def sequence(source: Source, node: SequenceNode, rows: Sequence[Row], slot: Slot) -> Iterator[Edit]:
    """What makes a list have these rows."""
    if [row.place for row in rows] != list(range(len(node.value))):
        yield from (_flow_rows if is_flow(node) else _block_rows)(source, node, rows, slot)
        return
    for row, place in zip(rows, _slots(source, node), strict=True):
        yield from changed(source, node.value[row.place], row.before, row.after, place)


def _slots(source: Source, node: SequenceNode) -> list[Slot]:
    """Where the rows of a list stand."""
    if is_flow(node):
        return [Slot(node.start_mark.column, -1, is_row=True, is_flow=True) for _ in node.value]
    column = node.start_mark.column
    return [Slot(column, source.start(line) + column + 1, is_row=True) for line in _first_lines(source, node)]


def _first_lines(source: Source, node: SequenceNode) -> list[int]:
    """The lines of the dashes."""
    lines = [source.line(node.start_mark.index)]
    for each in node.value[:-1]:
        line = source.last_line(each) + 1
        while source.says_nothing(line):
            line += 1
        lines.append(line)
    return lines


def _flow_rows(source: Source, node: SequenceNode, rows: Sequence[Row], slot: Slot) -> Iterator[Edit]:
    if not node.value:  # [] says in no way how rows are written
        yield from _replaced(source, node, [row.after for row in rows], slot)
        return
    told = []
    place = _slots(source, node)[0]
    for row in rows:
        if row.place is None:
            told.append(in_flow(row.after, slot.column))
        else:
            child = node.value[row.place]
            edits = changed(source, child, row.before, row.after, place)
            told.append(applied(source.text, edits, child.start_mark.index, child.end_mark.index))
    yield from _hoisted(source, node, [node.value[row.place] for row in rows if row.place is not None])
    yield Edit(node.start_mark.index, node.end_mark.index, f"[{', '.join(told)}]")


def _block_rows(source: Source, node: SequenceNode, rows: Sequence[Row], slot: Slot) -> Iterator[Edit]:
    starts, lasts = _first_lines(source, node), [source.last_line(each) for each in node.value]
    column = node.start_mark.column
    if source.of(starts[0])[:column].strip():
        raise UnusualError
    above = [source.line(slot.after), *lasts[:-1]]
    begins = [_first_above(source, line, floor, column) for line, floor in zip(starts, above, strict=True)]
    ends = [*begins[1:], lasts[-1] + 1]
    kept = {row.place: row for row in rows if row.place is not None}
    tails: dict[int | None, str] = {}  # comments below rows that go, by the row that they come behind
    left: int | None = None
    for place, (last, end) in enumerate(zip(lasts, ends, strict=True)):
        if place in kept:
            left = place
        elif "#" in (tail := source.text[source.start(last + 1) : source.start(end)]):
            tails[left] = tails.get(left, "") + tail
    slots = _slots(source, node)
    told = [tails.get(None, "")]
    for row in rows:
        if row.place is None:
            first, rest = row_lines(row.after, None, column)
            told.append("\n".join([f"{' ' * column}- {first}", *rest, ""]))
            continue
        edits = changed(source, node.value[row.place], row.before, row.after, slots[row.place])
        chunk = applied(source.text, edits, source.start(begins[row.place]), source.start(ends[row.place]))
        told.append((chunk if chunk.endswith("\n") else f"{chunk}\n") + tails.get(row.place, ""))
    if not rows:
        yield Edit(slot.after, slot.after, " []")
    yield Edit(source.start(begins[0]), source.start(ends[-1]), "".join(told))


def _first_above(source: Source, line: int, floor: int, column: int) -> int:
    """The first of the comment lines directly above `line`, all of them below `floor`."""
    while line - 1 > floor and source.is_comment(line - 1, column):
        line -= 1
    return line
