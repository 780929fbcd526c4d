"""Facts out of what somebody pastes: rows of a spreadsheet, a list with bullets, YAML, plain sentences."""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from characters.authoring.drafts.pasted_rows import LONGEST_NAME, Rows
from characters.domain.facts import NOTE
from characters.profiles import folder
from characters.profiles.documents import SheetError

MAX_ROWS = 5_000
_NAMED = re.compile(r"^([A-Za-z][\w ]{0,59}?)\s*[:=]\s*(\S.*)$")
_YAML = re.compile(
    r"^(?:core_)?facts:[ \t]*(?:#.*)?\r?\n[ \t]*(?:#.*\r?\n[ \t]*)*-"
    r"|\A(?:[ \t]*(?:#.*|---)?\r?\n)*[ \t]*-[ \t]+(?:\{[ \t]*)?[\"']?(?:predicate|object)[\"']?:",
    re.MULTILINE,
)
_BEGIN = re.compile(r"\A((?:[ \t]*(?:#.*)?\r?\n)*)---")
_FACTS = re.compile(r"^(?:core_)?facts:", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[\w)][.])\s+(?=[A-Z{])")
_BOLD = re.compile(r"^(\*\*|__)(?P<name>[^*_:=]{1,60})(?:\1\s*[:=]|[:=]\1)\s*")
_STATEMENT = re.compile(r"(?:(I|My)|(She|Her)|(He|His)|(They|Their)|(You|Your)|(\{\{char\}\}))\b.*\.", re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|this|that|these|those|there|then|them|too|also|either|instead|so|one)\b", re.IGNORECASE
)
_SHORTENED = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|vs|etc|e\.g|i\.e|[A-Z])\.\s")
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Pasted:
    """One fact, as it will be added."""

    predicate: str
    object: str
    questions: tuple[str, ...] = ()


def read(text: str, registered: Container[str]) -> list[Pasted]:
    """The facts, in their order, each once; one more than `MAX_ROWS` tells that there are others. Raises `SheetError`.

    A row of a table is a predicate, an object, and questions. Of a line, what stands before a colon or the like is a
    predicate where it is written in capitals or registered ("Father: ..." is HAS_FATHER); any other line is a sentence.
    `SheetError` is raised for YAML that can't be read.
    """
    text = text.removeprefix("\ufeff")
    facts = _of_yaml(text) if _YAML.search(text) else _of_rows(text, registered)
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for fact in islice(facts, MAX_ROWS + 1):
        key = fact.predicate, fact.object
        found[key] = tuple(dict.fromkeys((*found.get(key, ()), *fact.questions)))
    return [Pasted(*key, questions) for key, questions in found.items()]


def _of_yaml(text: str) -> Iterator[Pasted]:
    is_list = not _FACTS.search(text)
    told = _BEGIN.sub(r"\1", text)  # the line stays, so that lines keep their numbers
    try:
        sheet = folder.parse("", f"facts:\n{told}" if is_list else text, name="").sheet
    except SheetError as error:
        raise SheetError([_placed(problem, added=is_list) for problem in error.problems]) from error
    for fact in sheet.facts:
        yield Pasted(fact.predicate, fact.object, fact.questions)


def _placed(problem: str, *, added: int) -> str:
    """The problem with its line in the pasted text, before which that many were `added`."""
    return re.sub(rf"^{folder.BACKGROUND_FILE}, line (\d+)", lambda found: f"line {int(found[1]) - added}", problem)


def _of_rows(text: str, registered: Container[str]) -> Iterator[Pasted]:
    rows = Rows(text, lambda cell: bool(_name(cell, registered)))
    for cells in rows:
        if len(cells) > 1:
            yield from _of_cells(cells, rows.columns, registered)
        else:
            yield from _of_line(cells[0], registered)


def _of_cells(cells: Sequence[str], columns: Sequence[str], registered: Container[str]) -> Iterator[Pasted]:
    """What a row says; cells behind the last column belong to it."""
    told: dict[str, list[str]] = {"predicate": [], "object": [], "questions": []}
    for place, cell in enumerate(cells):
        column = columns[min(place, len(columns) - 1)]
        if column and cell:
            told[column] += [cell]
    named, text = " ".join(told["predicate"]), _joined(told["object"])
    predicate = _name(named, registered) or _capitals(named)
    if not predicate or len(predicate) > LONGEST_NAME:
        predicate, text = NOTE, _joined([named, text])
    elif not text and not _name(named, registered):
        predicate, text = NOTE, _joined([named])
    if text:
        yield Pasted(predicate, text, tuple(_questions(told["questions"])))


def _joined(texts: Iterable[str]) -> str:
    """On one line."""
    return " ".join(" ".join(texts).split())


def _questions(cells: Iterable[str]) -> Iterator[str]:
    for cell in cells:
        yield from dict.fromkeys(" ".join(line.split()) for line in cell.splitlines() if line.strip())


def _of_line(line: str, registered: Container[str]) -> Iterator[Pasted]:
    line = _joined([line])
    found = _NAMED.match(_BOLD.sub(r"\g<name>: ", line))
    name = _name(found[1], registered) if found else ""
    if found and name:
        yield Pasted(name, _unquoted(found[2].strip()))
    elif line:
        yield from (Pasted(NOTE, each) for each in _sentences(line))


def _unquoted(text: str) -> str:
    """Without the quotation marks around all of it."""
    return text[1:-1] if text[:1] == text[-1:] == '"' and text.count('"') == 2 else text


def _sentences(line: str) -> list[str]:
    """Several where each is a plain statement about the same person that says all by itself; else the line."""
    each = _SENTENCE_END.split(line)
    said = [_STATEMENT.fullmatch(sentence) for sentence in each]
    about = {found.lastindex if found else None for found in said}
    if len(each) == 1 or None in about or len(about) > 1 or '"' in line or _SHORTENED.search(line):
        return [line]
    if any(len(sentence.split()) < _FEWEST_WORDS for sentence in each):
        return [line]
    return [line] if any(_POINTS_BACK.search(sentence) for sentence in each[1:]) else each


def _name(text: str, registered: Container[str]) -> str:
    """The predicate that this may mean; empty where it is none."""
    capitals = _capitals(text)
    if text == capitals and ("_" in text or text in registered):
        return text
    return next((name for name in (capitals, f"HAS_{capitals}") if name in registered), "")


def _capitals(text: str) -> str:
    return re.sub(r"\W+", "_", text.strip()).strip("_").upper()
