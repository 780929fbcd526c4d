"""Values as lines of YAML, to stand behind a key or a dash of a text that is there."""

import re
from typing import Any

from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString, SingleQuotedScalarString

from characters.profiles import sheet_yaml

_PLAIN = re.compile(r"[^\W\d][\w '-]*")
_BLOCK = re.compile(r"[^\s#].*", re.DOTALL)
Lines = tuple[str, list[str]]
"""What stands behind the key or the dash, and the lines below."""


def value_lines(value: Any, style: str | None, column: int) -> Lines:
    """A value behind a key that begins in `column`, a text with the quotes of this style."""
    lines = _written({"k": _styled(value, style)})
    return lines[0][2:].strip(), [_shifted(line, column) for line in lines[1:]]


def row_lines(value: Any, style: str | None, column: int) -> Lines:
    """A value behind a dash in `column`."""
    lines = _written({"k": [_styled(value, style)]})[1:]  # their dash is in column 2
    return lines[0][4:], [_shifted(line, column - 2) for line in lines[1:]]


def mapping_lines(value: dict[str, Any], column: int) -> list[str]:
    """A mapping's lines, its keys in `column`."""
    return [_shifted(line, column) for line in _written(value)]


def in_flow(value: Any, column: int) -> str:
    """A value between brackets or braces."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {in_flow(inner, column)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(in_flow(inner, column) for inner in value) + "]"
    if isinstance(value, str):
        first, rest = value_lines(value, None, column)
        if rest or not _PLAIN.fullmatch(first):
            first, rest = value_lines(value, '"', column)
        return "\n".join([first, *rest])
    return value_lines(value, None, column)[0]


def _written(value: dict[str, Any]) -> list[str]:
    return sheet_yaml.write(value).rstrip("\n").split("\n")


def _shifted(line: str, by: int) -> str:
    return line if not line.strip() else " " * by + line if by >= 0 else line[-by:]


def _styled(value: Any, style: str | None) -> Any:
    if not isinstance(value, str):
        return value
    if (style == "|" or "\n" in value) and style not in {'"', "'"} and _BLOCK.fullmatch(value):
        return LiteralScalarString(value)
    if style == "'" and "\n" not in value:
        return SingleQuotedScalarString(value)
    return DoubleQuotedScalarString(value) if style in {'"', "'"} else value
