"""A text of YAML with the places of its lines and nodes, and edits of it."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from ruamel.yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode

from characters.profiles import sheet_yaml

_COMMENT = re.compile(r"( *)#")


class UnusualError(Exception):
    """YAML that isn't changed in place."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Another text from `start` up to `end`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Source:
    """A text and the places of its lines."""

    text: str

    @cached_property
    def starts(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))]

    def line(self, index: int) -> int:
        """The number of the line that holds this place, from 0."""
        return bisect_right(self.starts, index) - 1

    def start(self, line: int) -> int:
        return min(self.starts[min(line, len(self.starts) - 1)], len(self.text))

    def end(self, line: int) -> int:
        """Where the line's break stands."""
        found = self.text.find("\n", self.start(line))
        return len(self.text) if found < 0 else found

    def of(self, line: int) -> str:
        return self.text[self.start(line) : self.end(line)]

    def is_comment(self, line: int, column: int) -> bool:
        """Whether the line is a comment, not further in than `column`."""
        found = _COMMENT.match(self.of(line))
        return found is not None and len(found[1]) <= column

    def says_nothing(self, line: int) -> bool:
        told = self.of(line).strip()
        return line < len(self.starts) - 1 and (not told or told.startswith("#"))

    def stop(self, node: Node) -> int:
        """Where the node's last letter ends, without the blank lines and comments behind it."""
        start, end = node.start_mark.index, node.end_mark.index
        if isinstance(node, ScalarNode):
            return start + len(self.text[start:end].rstrip()) if node.style in {"|", ">"} else int(end)
        if is_flow(node) or not node.value:
            return int(end)
        last = node.value[-1]
        if isinstance(last, tuple) and is_nothing(last[1]):  # at a text's end its mark stands behind all comments
            return self.behind_colon(last[0])
        return self.stop(last[1] if isinstance(last, tuple) else last)

    def behind_colon(self, key: Node) -> int:
        return self.text.index(":", key.end_mark.index) + 1

    def last_line(self, node: Node) -> int:
        return self.line(self.stop(node))


def applied(text: str, edits: Iterable[Edit], start: int = 0, end: int | None = None) -> str:
    """The text from `start` to `end` with these edits, all of them inside. Raises `UnusualError` where two overlap."""
    pieces, at = [], start
    for edit in sorted(edits, key=lambda edit: edit.start):
        if edit.start < at:
            raise UnusualError
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, text[at:end]])


def read(text: str) -> MappingNode:
    """The text's mapping. Raises `YamlError`, `UnusualError`."""
    node = sheet_yaml.nodes(text)
    if not isinstance(node, MappingNode):
        raise UnusualError
    return node


def is_nothing(node: Node) -> bool:
    """Whether nothing stands there, such as behind `anchors:`."""
    return isinstance(node, ScalarNode) and not node.value and node.style is None


def is_flow(node: Node) -> bool:
    """Whether it stands between brackets or braces."""
    return isinstance(node, CollectionNode) and bool(node.flow_style)
