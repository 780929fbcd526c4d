"""Read facts from pasted text: rows of a spreadsheet or table, a bulleted list, plain sentences."""

import csv
import io
import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from characters.authoring.drafts import parts
from characters.domain.facts import NOTE
from characters.profiles.documents import MAX_PREDICATE

COLUMNS = ("predicate", "object", "questions")
_HEADERS = {"fact": "predicate", "key": "predicate", "property": "predicate", "attribute": "predicate"}
_HEADERS |= {"value": "object", "question": "questions"} | {name: name for name in COLUMNS}
"""Accepted headings, and the column that each one names."""

_MARK = re.compile(r"^\s*(?:(?:[-*+•–]|\d{1,3}[.)])(?:\s+|$))?(?:\[[ xX]?\](?:\s+|$))?")
_RULE = re.compile(r"[-*_=|:\s]*")
_NAMED = re.compile(r"(?:([A-Z_]{2,60})\s*[,;]|([A-Za-z][\w ]{0,59}?)\s*[:=])\s*(\S.*)")


@dataclass(frozen=True, slots=True)
class Pasted:
    """A fact as it will be added."""

    predicate: str
    object: str
    questions: tuple[str, ...] = ()


def read(text: str, registered: Container[str]) -> list[Pasted]:
    """Return the facts in order, each once, from rows of predicate, object and questions, or from lines.

    The word before a line's colon is a predicate if it is registered ("Father: ...": HAS_FATHER) or written LIKE_THIS.
    """
    text = text.removeprefix("\ufeff")
    facts: dict[tuple[str, str], tuple[str, ...]] = {}
    for fact in _of_rows(text, registered):
        key = fact.predicate, fact.object
        facts[key] = tuple(dict.fromkeys((*facts.get(key, ()), *fact.questions)))
    return [Pasted(*key, questions) for key, questions in facts.items()]


def _of_rows(text: str, registered: Container[str]) -> Iterator[Pasted]:
    columns: Sequence[str] = COLUMNS
    for cells in _rows(text):
        if header := _header(cells):
            columns = header
        elif len(cells) > 1:
            yield from _of_cells(cells, columns, registered)
        elif cells:
            yield _of_line(_joined([_MARK.sub("", cells[0], count=1)]), registered)


def _rows(text: str) -> Iterator[list[str]]:
    """Yield each row's cells, split at tabs, at table bars, or below a header at , or ;. Any other line is one cell."""
    lines = [_MARK.sub("", line, count=1).strip(" ") for line in text.splitlines() if not _RULE.fullmatch(line)]
    separators = (separator for separator in ",;" if lines and _header(lines[0].split(separator)))
    if separator := "\t" if any("\t" in line for line in lines) else next(separators, ""):
        yield from _parsed(text, separator)
        return
    for line in lines:
        if line.startswith("|"):
            yield [cell.strip() for cell in line.strip("|").split("|")]
        elif line:
            yield [line]


def _parsed(text: str, separator: str) -> list[list[str]]:
    # An odd number of quotation marks: one is never closed, so they are ordinary characters.
    quoting: Literal[0, 3] = csv.QUOTE_NONE if text.count('"') % 2 else csv.QUOTE_MINIMAL
    lines = io.StringIO(text, newline="")
    try:
        return list(csv.reader(lines, delimiter=separator, skipinitialspace=True, quoting=quoting))
    except csv.Error:  # a cell that is too large
        return [[text]]


def _header(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the columns below, or an empty tuple if this isn't a header."""
    columns = tuple(_HEADERS.get(cell.strip(' "\ufeff').lower(), "") for cell in cells)
    return columns if {"predicate", "object"} <= set(columns) else ()


def _of_cells(cells: Sequence[str], columns: Sequence[str], registered: Container[str]) -> Iterator[Pasted]:
    """Yield the row's fact; cells beyond the last column belong to that column."""
    values: dict[str, list[str]] = {name: [] for name in ("", *COLUMNS)}
    for place, cell in enumerate(cells):
        values[columns[min(place, len(columns) - 1)]].append(cell)
    named, text = _joined(values["predicate"]), _joined(values["object"])
    predicate = _name(named, registered)
    if not predicate and text and len(named) <= MAX_PREDICATE:
        predicate = parts.predicate_name(named)
    if not predicate:
        predicate, text = NOTE, _joined([named, text])
    if text:
        lines = [_joined([line]) for cell in values["questions"] for line in cell.splitlines()]
        yield Pasted(predicate, text, tuple(dict.fromkeys(line for line in lines if line)))


def _of_line(line: str, registered: Container[str]) -> Pasted:
    match = _NAMED.fullmatch(line.replace("**", ""))
    name = _name(match[1] or match[2], registered) if match else ""
    return Pasted(name, match[3]) if match and name else Pasted(NOTE, line)


def _joined(texts: Sequence[str]) -> str:
    """Join texts on one line."""
    return " ".join(" ".join(texts).split())


def _name(text: str, registered: Container[str]) -> str:
    """Return the predicate that `text` means, or an empty string."""
    capitals = parts.predicate_name(text)
    if text == capitals and ("_" in text or text in registered):
        return text
    return next((name for name in (capitals, f"HAS_{capitals}") if name in registered), "")
