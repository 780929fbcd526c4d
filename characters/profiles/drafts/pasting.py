"""Facts out of what somebody pastes: rows of a spreadsheet, a list with bullets, YAML-like lines, plain sentences."""

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass

from characters.turn.facts import NOTE

MAX_ROWS = 5_000
_BULLET = re.compile(r"^\s*(?:[-*•–]|\d+[.)])\s+")
_NAMED = re.compile(r"^([A-Za-z][\w ]{0,59}?)\s*(?:\t|:|=|;|\||,)\s*(\S.*)$")
_HEADERS = {("predicate", "object"), ("predicate", "value"), ("fact", "value"), ("key", "value")}


@dataclass(frozen=True, slots=True)
class Pasted:
    """One fact, as it will be added."""

    predicate: str
    object: str


def read(text: str, registered: Container[str]) -> list[Pasted]:
    """A fact per line that isn't empty, in their order; at most `MAX_ROWS`.

    What stands before a tab is a predicate. Before a colon, comma or the like it is one where it is written in capitals
    or registered ("Father: ..." is HAS_FATHER); any other line is a sentence.
    """
    return [fact for line in text.splitlines()[:MAX_ROWS] if (fact := _fact(line, registered))]


def _fact(line: str, registered: Container[str]) -> Pasted | None:
    plain = _BULLET.sub("", line).strip()
    if not plain:
        return None
    cells = [cell.strip().strip('"') for cell in plain.split("\t")]
    if len(cells) > 1 and cells[0] and cells[1]:
        if (cells[0].lower(), cells[1].lower()) in _HEADERS:
            return None
        return Pasted(next(_names(cells[0], registered), "") or _capitals(cells[0]), " ".join(filter(None, cells[1:])))
    found = _NAMED.match(plain)
    if found:
        if (found[1].lower(), found[2].lower()) in _HEADERS:
            return None
        name = next(_names(found[1], registered), "")
        if name:
            return Pasted(name, found[2].strip().strip('"'))
    return Pasted(NOTE, plain)


def _names(text: str, registered: Container[str]) -> Iterator[str]:
    """The predicates that this may mean."""
    capitals = _capitals(text)
    if text == capitals and ("_" in text or text in registered):
        yield text
    yield from (name for name in (capitals, f"HAS_{capitals}") if name in registered)


def _capitals(text: str) -> str:
    return re.sub(r"\W+", "_", text.strip()).strip("_").upper()
