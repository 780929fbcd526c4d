"""YAML as an author writes it: a scalar is the text that stands there, and every place has its line."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.resolver import VersionedResolver
from ruamel.yaml.scalarstring import DoubleQuotedScalarString
from ruamel.yaml.tokens import AliasToken, AnchorToken


class YamlError(ValueError):
    """A text that isn't taken: why, and in which line and column where that is known; both count from 1."""

    def __init__(self, problem: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.column = column


class _AsWritten(VersionedResolver):
    """007 stays "007", yes stays "yes", and a value that isn't there is empty."""

    @property
    def versioned_resolver(self) -> dict[str, Any]:
        return {}


def read(text: str) -> CommentedMap:
    """The mapping in `text`. Raises `YamlError`."""
    parser = YAML(typ="rt")
    parser.Resolver = _AsWritten
    try:
        # An alias may stand for itself many times over, and nothing in a sheet needs one.
        _refuse_aliases(text)
        content = parser.load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        raise YamlError(f"{error.problem}.", *((mark.line + 1, mark.column + 1) if mark else ())) from error
    except (YAMLError, RecursionError) as error:
        raise YamlError("it can't be read as YAML.") from error
    if not isinstance(content, CommentedMap):
        raise YamlError("it must be a mapping with keys such as `facts:`.")
    return content


def _refuse_aliases(text: str) -> None:
    for token in YAML(typ="safe", pure=True).scan(text):
        if isinstance(token, AliasToken | AnchorToken):
            at = token.start_mark
            raise YamlError("anchors and aliases (& and *) are not taken.", at.line + 1, at.column + 1)


def write(content: Mapping[str, Any]) -> str:
    """`content` as YAML; what looks like a number is quoted."""
    parser = YAML(typ="rt")
    parser.width = 4096
    parser.indent(mapping=2, sequence=4, offset=2)
    stream = io.StringIO()
    parser.dump(_escaped(content), stream)
    return stream.getvalue()


def _escaped(value: Any) -> Any:
    """`value`, its texts with an unusual end of line in double quotes: in others that would come back as a space."""
    if isinstance(value, str):
        return DoubleQuotedScalarString(value) if any(end in value for end in "\r\x85\u2028\u2029") else value
    if isinstance(value, Mapping):
        return {key: _escaped(inner) for key, inner in value.items()}
    return [_escaped(inner) for inner in value] if isinstance(value, list) else value


def place_of(content: Any, path: Sequence[str | int]) -> tuple[int, int] | None:
    """Line and column of what lies at `path`, or of the nearest thing around it."""
    found = None
    for key in path:
        try:
            place = content.lc.item(key) if isinstance(key, int) else content.lc.key(key)
            content = content[key]
        except (AttributeError, KeyError, IndexError, TypeError):  # missing there, or no collection
            break
        found = place[0] + 1, place[1] + 1
    return found
