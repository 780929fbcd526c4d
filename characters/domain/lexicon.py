"""Words by what they name or do in a sentence, in sections: pets, occupations, stop words (lexicon.txt)."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_LINE_BREAK = re.compile(r"\s*\n\s*")
_IRREGULAR = {
    "mice": "mouse",
    "geese": "goose",
    "sheep": "sheep",
    "fish": "fish",
    "children": "child",
    "wolves": "wolf",
}


@cache
def _sections() -> Mapping[str, frozenset[str]]:
    sections: dict[str, set[str]] = {}
    section: set[str] = set()
    for line in (Path(__file__).parent / "lexicon.txt").read_text().splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), set())
        elif not line.startswith("#"):
            section.update(entry.strip() for entry in line.split(",") if entry.strip())
    return {name: frozenset(entries) for name, entries in sections.items()}


@cache
def entries(section: str) -> frozenset[str]:
    """All words of a section."""
    return _sections()[section]


def alternatives(section: str) -> str:
    """A section for a regular expression, the longest first."""
    return one_of(entries(section))


def worded(words: str) -> re.Pattern[str]:
    r"""The pattern for `words`, whatever their case. A space stands for any white space, a line break for nothing."""
    return re.compile(_LINE_BREAK.sub("", words).replace(" ", r"\s+"), re.IGNORECASE)


def one_of(entries: frozenset[str]) -> str:
    """The words for a regular expression, the longest first."""
    return "|".join(sorted(map(re.escape, entries), key=lambda entry: (-len(entry), entry)))


def tail(section: str, phrase: str) -> str:
    """The longest entry with which `phrase` ends, as it stands there ("my old Labradors" -> "Labradors")."""
    tokens = phrase.split()
    for start in range(len(tokens)):
        last = " ".join(tokens[start:])
        if singular(last.lower()) in entries(section) or last.lower() in entries(section):
            return last
    return ""


def singular(phrase: str) -> str:
    """ "golden retrievers" -> "golden retriever"; the last word counts."""
    front, blank, last = phrase.rpartition(" ")
    if last in _IRREGULAR:
        last = _IRREGULAR[last]
    elif last.endswith("ies") and len(last) > 4:
        last = f"{last[:-3]}y"
    elif last.endswith(("sses", "xes", "ches", "shes")):
        last = last[:-2]
    elif last.endswith("s") and not last.endswith(("ss", "us", "is", "'s")):
        last = last[:-1]
    return f"{front}{blank}{last}"
