"""Pasted text as rows of cells: of a spreadsheet, of a Markdown table; a line of its own is a row of one cell."""

import csv
import re
from collections.abc import Callable, Iterator, Sequence

MOST_LINES = 50
"""Lines of one quoted cell; a quotation mark that none of them closes is just a character."""
LONGEST_NAME = 60
HEADERS = {"predicate": "predicate", "fact": "predicate", "key": "predicate", "object": "object", "value": "object"}
HEADERS |= {"property": "predicate", "attribute": "predicate"}
HEADERS |= {"question": "questions", "questions": "questions"}
"""What may stand above a column, and what the column holds."""
COLUMNS = ("predicate", "object", "questions")

_MARK = re.compile(r"^\s*(?:(?:[-*+•–—◦▪]|\d{1,3}[.)])(?:\s+|$))?(?:\[[ xX✓]?\](?:\s+|$))?")
_RULE = re.compile(r"[-–—*_=+|:\s]*")
_PIPE = re.compile(r"(?<!\\)\|")
_SEPARATORS = ("\t", ",", ";")
_MOST_WORDS = 4
"""Of the first cell of a row whose cells stand between commas: more are the beginning of a sentence."""
IsPredicate = Callable[[str], bool]


class Rows:
    """The rows of a pasted text, and what its columns hold, as far as they were read."""

    def __init__(self, text: str, is_predicate: IsPredicate) -> None:
        self._lines = text.splitlines()
        self._is_predicate = is_predicate
        self._headed = ""
        self._commas = _have_commas(self._lines, is_predicate)
        self.columns: tuple[str, ...] = COLUMNS

    def __iter__(self) -> Iterator[list[str]]:
        place = 0
        while place < len(self._lines):
            count, cells = self._row(place)
            place += count
            columns = _header(cells)
            if columns:
                self.columns, self._headed = columns, _separator(self._lines[place - count])
            elif any(cells):
                yield cells

    def _row(self, place: int) -> tuple[int, list[str]]:
        """How many lines it takes, and its cells."""
        line = self._lines[place]
        if '"' in line:
            count = _lines_of_quotes(self._lines, place)
            quoted = self._quoted(_plain("\n".join(self._lines[place : place + count])))
            if quoted:
                return count, quoted
        return 1, self._unquoted(_plain(line))

    def _quoted(self, record: str) -> list[str]:
        """The cells of a row some of which are quoted; none where the quotation marks belong to a sentence."""
        for separator in (self._headed, *_SEPARATORS) if self._headed else _SEPARATORS:
            cells = _strict(record, separator)
            if len(cells) == 1 and record.startswith('"'):
                return [cells[0].strip()]
            if len(cells) > 1 and (separator == "\t" or self._is_row(record, cells, separator)):
                return [cell.strip() for cell in cells]
        return []

    def _is_row(self, record: str, cells: Sequence[str], separator: str) -> bool:
        if self._is_predicate(cells[0].strip()) or _header(cells):
            return True
        exact = not any(cell.startswith(" ") for cell in _strict(record, separator, skip_space=False))
        return exact and _is_short(cells[0]) and (record.startswith('"') or separator == self._headed)

    def _unquoted(self, line: str) -> list[str]:
        if _RULE.fullmatch(line) and "\t" not in line:
            return []
        if "\t" in line:
            return [cell.strip() for cell in line.split("\t")]
        if line.startswith("|") and line.count("|") > 2:
            return [cell.replace("\\|", "|").strip() for cell in _PIPE.split(line.removesuffix("|"))[1:]]
        return self._separated(line)

    def _separated(self, line: str) -> list[str]:
        for separator in (",", ";", "|"):
            cells = line.split(separator)
            if _header(cells) or (separator == self._headed and len(cells) > 1 and _is_short(cells[0])):
                return [cell.strip() for cell in cells]
            if len(cells) > 1 and self._is_named(cells, separator):
                return _with_questions(cells, separator)
        return [line]

    def _is_named(self, cells: Sequence[str], separator: str) -> bool:
        if separator == ",":
            return self._commas and _opens(cells, self._is_predicate)
        return self._is_predicate(cells[0].strip())


def _have_commas(lines: Sequence[str], is_predicate: IsPredicate) -> bool:
    """Whether most lines are rows whose cells stand between commas."""
    told = [line for line in lines[:1_000] if line.strip()]
    return 2 * sum(_opens(_plain(line).split(","), is_predicate) for line in told) > len(told)


def _opens(cells: Sequence[str], is_predicate: IsPredicate) -> bool:
    """Whether a predicate stands before the first comma: in capitals, or in words and without a space behind it."""
    if len(cells) == 1:
        return False
    first = cells[0].strip().strip('"')
    return bool(_header(cells)) or (is_predicate(first) and (first == first.upper() or not cells[1].startswith(" ")))


def _with_questions(cells: Sequence[str], separator: str) -> list[str]:
    """Nothing is quoted, so a separator may belong to the object; only what ends as a question is one."""
    end = len(cells)
    while end > 2 and (not cells[end - 1].strip() or cells[end - 1].strip().endswith("?")):
        end -= 1
    return [cells[0].strip(), separator.join(cells[1:end]).strip(), *(cell.strip() for cell in cells[end:])]


def _header(cells: Sequence[str]) -> tuple[str, ...]:
    """What the columns below hold; empty where this is no header."""
    found = tuple(HEADERS.get(cell.strip().strip('"').lower(), "") for cell in cells)
    return found if {"predicate", "object"} <= set(found) else ()


def _separator(line: str) -> str:
    return next((each for each in ("|", *_SEPARATORS) if each in line), "")


def _lines_of_quotes(lines: Sequence[str], place: int) -> int:
    """How many lines belong together, since a quoted cell goes on over the end of one."""
    count, marks = 1, lines[place].count('"')
    for line in lines[place + 1 : place + MOST_LINES]:
        if marks % 2 == 0:
            break
        count, marks = count + 1, marks + line.count('"')
    return 1 if marks % 2 else count


def _strict(record: str, separator: str, *, skip_space: bool = True) -> list[str]:
    """The cells; none where a quotation mark stands in the midst of text."""
    reader = csv.reader([record], delimiter=separator, strict=True, skipinitialspace=skip_space)
    try:
        return next(reader, [])
    except csv.Error:
        return []


def _is_short(cell: str) -> bool:
    return len(cell) <= LONGEST_NAME and len(cell.split()) <= _MOST_WORDS


def _plain(line: str) -> str:
    """Without the mark of a list; a tab before the first cell stays."""
    return line if line.startswith("\t") else _MARK.sub("", line, count=1).strip(" ")
