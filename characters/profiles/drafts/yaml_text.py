"""A background's YAML as its author wrote it, brought up to date where the sheet changed elsewhere.

Lines are moved and replaced as text: comments, quotes and order of what didn't change stay as they are. A comment
directly above a fact belongs to it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from characters.profiles import documents, folder, sheet_yaml
from characters.profiles.documents import SheetError
from characters.profiles.drafts.parts import Document
from characters.profiles.sheet_yaml import YamlError

OTHER_KEYS = ("name", "runtime_facts", *folder.PARTS)
LISTS = ("facts", "core_facts")

_COMMENT = re.compile(r"(\s*)#")


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines of a text: from `start` up to `end`, which isn't one of them."""

    start: int
    end: int


def write(document: Document) -> str:
    """The YAML of a sheet that nobody wrote as YAML."""
    return folder.texts_of(documents.load(document))[folder.BACKGROUND_FILE]


def updated(text: str, before: Document, after: Document) -> str:
    """`text`, which says what `before` says, made to say what `after` says."""
    if not text.strip():
        return write(after)
    try:
        told = _updated(text, before, after)
        if _says(told, after):
            return told
    except (YamlError, SheetError, _Unusual):
        pass
    return write(after)  # written in a way that can't be changed line by line: true, and without its comments


class _Unusual(Exception):
    """YAML that isn't changed line by line, such as a list on one line."""


def _says(text: str, document: Document) -> bool:
    """Whether the text has this content."""
    read = documents.dump(folder.parse(document["identity"], text, name=document["name"]).sheet)
    return _without_ids(read) == _without_ids(documents.dump(documents.load(document)))


def _without_ids(document: Document) -> Document:
    facts = [{key: value for key, value in fact.items() if key != "id"} for fact in document["facts"]]
    return document | {"facts": facts, "identity": ""}


def _updated(text: str, before: Document, after: Document) -> str:
    content = sheet_yaml.read(text)
    lines = text.splitlines()
    for key in reversed(_by_line(content)):  # from below, so that the lines above keep their numbers
        if key in LISTS:
            lines = _with_facts(lines, content, key, before, after)
        elif key in OTHER_KEYS and before.get(key) != after.get(key):
            block = _block(lines, content, key)
            lines[block.start : block.end] = _rendered(key, after)
    missing = [key for key in OTHER_KEYS if key not in content and before.get(key) != after.get(key)]
    if not any(key in content for key in LISTS):
        missing.insert(0, "facts")
    for key in missing:
        lines += _rendered(key, after)
    return "\n".join(lines) + "\n"


def _by_line(content: CommentedMap) -> list[str]:
    return sorted(content, key=lambda key: int(content.lc.key(key)[0]))


def _block(lines: Sequence[str], content: CommentedMap, key: str) -> _Block:
    """The lines of a top-level key, without the comments above the next one."""
    start = content.lc.key(key)[0]
    later = [content.lc.key(other)[0] for other in content if content.lc.key(other)[0] > start]
    return _Block(start, _first_above(lines, min(later), 0) if later else len(lines))


def _first_above(lines: Sequence[str], line: int, column: int) -> int:
    """The first of the comment lines directly above `line`, none of them further in than `column`."""
    while line and _is_comment(lines[line - 1], column):
        line -= 1
    return line


def _rendered(key: str, document: Document) -> list[str]:
    """The lines of a top-level key; none where it has no value."""
    written = sheet_yaml.read(write(document))
    if key not in written:
        return []
    return sheet_yaml.write({key: written[key]}).splitlines()


def _with_facts(lines: list[str], content: CommentedMap, key: str, before: Document, after: Document) -> list[str]:
    rows = content[key]
    if not isinstance(rows, CommentedSeq) or rows.fa.flow_style():
        raise _Unusual
    offset = len(content.get("facts") or []) if key == "core_facts" else 0
    ids = [fact["id"] for fact in before["facts"]][offset : offset + len(rows)]
    column = rows.lc.col if rows else 2
    starts = [_first_above(lines, rows.lc.item(place)[0], column) for place in range(len(rows))]
    block = _block(lines, content, key)
    ends = [*starts[1:], _end(lines, block.end, column)] if starts else []
    chunks = {fact_id: lines[start:end] for fact_id, start, end in zip(ids, starts, ends, strict=True)}
    wanted = _facts_of(key, content, before, after)
    known = {fact["id"]: fact for fact in before["facts"]}
    made = [_chunk(fact, known.get(fact["id"]), chunks.get(fact["id"]), column) for fact in wanted]
    first, last = (starts[0], ends[-1]) if starts else (block.start + 1, block.start + 1)
    head = lines[:first]
    if wanted and not starts:
        head[block.start] = f"{key}:"
    if starts and not wanted:
        head[block.start] = f"{key}: []"
    return [*head, *(line for chunk in made for line in chunk), *lines[last:]]


def _end(lines: Sequence[str], end: int, column: int) -> int:
    """Without blank lines and comments at the foot."""
    while end and (not lines[end - 1].strip() or _is_comment(lines[end - 1], column)):
        end -= 1
    return end


def _is_comment(line: str, column: int) -> bool:
    """Whether the line is a comment, and not, further in, the text of a block."""
    found = _COMMENT.match(line)
    return found is not None and len(found[1]) <= column


def _facts_of(key: str, content: CommentedMap, before: Document, after: Document) -> list[dict[str, Any]]:
    """Which facts stand under this key: where both lists are there, new ones come under the second."""
    if not all(each in content for each in LISTS):
        return list(after["facts"])
    first = {fact["id"] for fact in before["facts"][: len(content["facts"] or [])]}
    return [fact for fact in after["facts"] if (fact["id"] in first) == (key == "facts")]


def _chunk(fact: dict[str, Any], was: dict[str, Any] | None, lines: Sequence[str] | None, column: int) -> list[str]:
    """The lines of a fact: as they were, or written anew between the comments above and the blank lines below."""
    lines = lines or []
    if lines and was == fact:
        return list(lines)
    above = list(takewhile(lambda line: _is_comment(line, column), lines))
    below = list(takewhile(lambda line: not line.strip(), reversed(lines)))
    written = sheet_yaml.write({"facts": [folder.fact_row(fact)]}).splitlines()[1:]
    return [*above, *(" " * column + line[2:] for line in written), *below]
