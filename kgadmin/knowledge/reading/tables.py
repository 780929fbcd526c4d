"""Read tables (CSV) and JSON. Every row carries its header, since a chunk may have one row alone."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from kgadmin.knowledge.reading.kinds import MAX_BYTES, UnreadableError
from kgadmin.knowledge.reading.sections import Section
from kgadmin.knowledge.reading.text import decoded

MAX_ROWS = 50_000
MAX_HEADER, MAX_QUESTION = 60, 500
"""Characters of a cell in a row that is taken for a header; in CSV, which forms export, it may be a whole question."""
_NUMBER = re.compile(r"[-+]?\d[\d.,]*%?")
DELIMITERS = "\t|;,"
"""From the one that is rarest in prose."""
_SEPARATOR = re.compile(r"\"?sep=([^\w\s\"]|\t)\"?\r?\n", re.IGNORECASE)
"""The first line by which Excel is told the delimiter; it is read as an empty one."""
csv.field_size_limit(MAX_BYTES)


def rows_as_text(rows: Sequence[Sequence[str]], max_header: int = MAX_HEADER) -> list[str]:
    """Return each row as "header: value; header: value"; where the first row is no header, the cells alone."""
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if len(rows) < 2 or not _is_header(rows[0], max_header):
        return [" | ".join(filter(None, (cell.strip() for cell in row))) for row in rows]
    header = _numbered(rows[0])
    return [_labelled(header, row) for row in rows[1:]]


def _is_header(row: Sequence[str], max_header: int) -> bool:
    """Return whether a row names columns: one of numbers alone, or of long texts, doesn't."""
    cells = [cell.strip() for cell in row]
    named = [cell for cell in cells if cell]
    is_short = all(len(cell) <= max_header for cell in named)
    return len(cells) > 1 and len(named) >= len(cells) - 1 and is_short and not all(map(_NUMBER.fullmatch, named))


def _numbered(header: Sequence[str]) -> list[str]:
    """Return the names of columns, repeated ones with their number: "Phone", "Phone 2"."""
    names, counts = list[str](), Counter[str]()
    for cell in header:
        name = " ".join(cell.split())
        counts[name] += 1
        names.append(f"{name} {counts[name]}" if name and counts[name] > 1 else name)
    return names


def _labelled(header: Sequence[str], row: Sequence[str]) -> str:
    if len(row) == 1:
        return row[0].strip()
    pairs = zip_longest(header, row, fillvalue="")
    return "; ".join(f"{name}: {value.strip()}" if name else value.strip() for name, value in pairs if value.strip())


def csv_rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the rows of a table, each with its last line's number, cut where most are as wide as the first. A
    quotation mark that nothing closes is a mark like any other.
    """
    named = _SEPARATOR.match(text)
    delimiters, text = (named[1], text[named.end() - 1 :]) if named else (DELIMITERS, text)
    return max((_read(text, delimiter) for delimiter in delimiters), key=_evenness)


def _read(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    try:
        return _rows(text, delimiter=delimiter, strict=True)
    except csv.Error as error:
        is_open = "end of data" in str(error)
    return _rows(text, delimiter=delimiter, quoting=csv.QUOTE_NONE if is_open else csv.QUOTE_MINIMAL)


def _rows(text: str, **dialect: Any) -> list[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), **dialect)
    return [(reader.line_num, cells) for cells in reader]


def _evenness(rows: Sequence[tuple[int, Sequence[str]]]) -> float:
    """Return the share of rows that are as wide as the first, 0 to 1; 0 for a first one of one cell."""
    widths = [len(cells) for _, cells in rows if cells]
    return widths.count(widths[0]) / len(widths) if widths and widths[0] > 1 else 0


def csv_sections(content: bytes) -> Iterator[Section]:
    """Yield each row of a table. Raises `UnreadableError`."""
    rows = [cells for _, cells in csv_rows(decoded(content))]
    if len(rows) > MAX_ROWS:
        raise UnreadableError(f"The table has {len(rows):,} rows; at most {MAX_ROWS:,} can be read. Split it.")
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    first = 2 if len(rows) > 1 and _is_header(rows[0], MAX_QUESTION) else 1
    for number, line in enumerate(rows_as_text(rows, MAX_QUESTION), first):
        yield Section((), line, f"row {number}")


def json_sections(content: bytes) -> Iterator[Section]:
    """Yield each entry of JSON, or of JSON Lines. Raises `UnreadableError`."""
    text = decoded(content)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        value = _lines(text)
        if value is None:
            where = f" ({error})" if isinstance(error, json.JSONDecodeError) else ""
            raise UnreadableError(f"This isn't valid JSON{where}. Correct it and upload it again.") from error
    if isinstance(value, dict) and len(value) == 1 and isinstance(only := next(iter(value.values())), list):
        value = only
    if not isinstance(value, list):
        yield Section((), "\n".join(_flat(value)))
        return
    if len(value) > MAX_ROWS:
        raise UnreadableError(f"The file has {len(value):,} entries; at most {MAX_ROWS:,} can be read. Split it.")
    for number, entry in enumerate(value, 1):
        if lines := list(_flat(entry)):
            yield Section((), "\n".join(lines), f"entry {number}")


def _lines(text: str) -> list[Any] | None:
    try:
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    except (ValueError, RecursionError):
        return None


def _flat(value: Any, path: str = "") -> Iterator[str]:
    """Yield "a > b: value" for each value that is neither list nor object, nor empty."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{path} > {key}" if path else str(key))
    elif isinstance(value, list):
        if all(not isinstance(inner, dict | list) for inner in value):
            yield from _flat(", ".join(str(inner) for inner in value if inner not in {None, ""}), path)
        else:
            for inner in value:
                yield from _flat(inner, path)
    elif value not in {None, ""}:
        yield f"{path}: {value}" if path else str(value)
