"""YAML as an author writes it: scalars are read as plain text, and every place has its line."""

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import Node
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.resolver import VersionedResolver
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString
from ruamel.yaml.tokens import (
    AliasToken,
    AnchorToken,
    BlockEndToken,
    BlockMappingStartToken,
    BlockSequenceStartToken,
    FlowMappingEndToken,
    FlowMappingStartToken,
    FlowSequenceEndToken,
    FlowSequenceStartToken,
)

MAX_CHARACTERS = 1_000_000
MAX_TOKENS = 200_000
"""YAML tokens: three times those of 5,000 facts with a question each; reading so many takes a second."""
MAX_DEPTH = 50
_LINES = re.compile(r"[^\s#].*\n.*", re.DOTALL)
_DEEPER = (BlockMappingStartToken, BlockSequenceStartToken, FlowMappingStartToken, FlowSequenceStartToken)
_BACK = (BlockEndToken, FlowMappingEndToken, FlowSequenceEndToken)


class YamlError(ValueError):
    """A text that is refused: why, and in which line and column if known; both count from 1."""

    def __init__(self, problem: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.column = column


class _AsWritten(VersionedResolver):
    """Loader that keeps 007 as "007" and yes as "yes"; a missing value is empty."""

    @property
    def versioned_resolver(self) -> dict[str, Any]:
        return {}


def read(text: str) -> CommentedMap:
    """Return the mapping in `text`. Raises `YamlError`."""
    parser = YAML(typ="rt")
    parser.Resolver = _AsWritten
    try:
        _refuse_unneeded(text)
        content = parser.load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        raise YamlError(f"{error.problem}.", *((mark.line + 1, mark.column + 1) if mark else ())) from error
    except ReaderError as error:
        before = text[: error.position]
        line, column = before.count("\n") + 1, error.position - before.rfind("\n")
        raise YamlError("a control character stands here. Remove it.", line, column) from error
    except (YAMLError, RecursionError) as error:
        raise YamlError("it can't be read as YAML.") from error
    if not isinstance(content, CommentedMap):
        raise YamlError("it must be a mapping with keys such as `facts:`.")
    return content


def nodes(text: str) -> Node | None:
    """Return the nodes of `text` with their positions. Raises `YamlError`; call `read` first, which checks the size."""
    parser = YAML(typ="rt")
    parser.Resolver = _AsWritten
    try:
        composed: Node | None = parser.compose(text)
    except (YAMLError, RecursionError) as error:
        raise YamlError("it can't be read as YAML.") from error
    return composed


def _refuse_unneeded(text: str) -> None:
    """Refuse what no sheet needs but costs seconds: aliases may expand many times, and each level of depth is searched
    again. Tokens are scanned one by one, so that reading stops at the limit.
    """
    if len(text) > MAX_CHARACTERS:
        raise YamlError(f"it has {len(text):,} characters; at most {MAX_CHARACTERS:,} are allowed. Shorten it.")
    depth = 0
    for number, token in enumerate(YAML(typ="safe", pure=True).scan(text)):
        at = token.start_mark
        if number > MAX_TOKENS:
            raise YamlError("it is too large for a sheet. Shorten it.", at.line + 1, at.column + 1)
        if isinstance(token, AliasToken | AnchorToken):
            raise YamlError("anchors and aliases (& and *) are not allowed.", at.line + 1, at.column + 1)
        depth += isinstance(token, _DEEPER) - isinstance(token, _BACK)
        if depth > MAX_DEPTH:
            raise YamlError(f"more than {MAX_DEPTH} lists or mappings are nested.", at.line + 1, at.column + 1)


def write(content: Mapping[str, Any]) -> str:
    """Return `content` as YAML; what looks like a number is quoted."""
    parser = YAML(typ="rt")
    parser.width = 4096
    parser.indent(mapping=2, sequence=4, offset=2)
    stream = io.StringIO()
    parser.dump(_escaped(content), stream)
    return stream.getvalue()


def _escaped(value: Any) -> Any:
    """Return `value` with multi-line texts as literal blocks.

    Texts with unusual line ends are double-quoted: a block would read these back as spaces.
    """
    if isinstance(value, str):
        if any(end in value for end in "\r\x85\u2028\u2029"):
            return DoubleQuotedScalarString(value)
        is_block = _LINES.fullmatch(value) and value.replace("\n", "").isprintable()
        return LiteralScalarString(value) if is_block else value
    if isinstance(value, Mapping):
        return {key: _escaped(inner) for key, inner in value.items()}
    return [_escaped(inner) for inner in value] if isinstance(value, list) else value


def place_of(content: Any, path: Sequence[str | int]) -> tuple[int, int] | None:
    """Return line and column of the node at `path`, or of the nearest one around it."""
    place = None
    for key in path:
        try:
            line, column = content.lc.item(key) if isinstance(key, int) else content.lc.key(key)
            content = content[key]
        except (AttributeError, KeyError, IndexError, TypeError):  # missing there, or no collection
            break
        place = line + 1, column + 1
    return place
