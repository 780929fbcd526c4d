"""Word lists by section, such as pets, occupations and stop words (lexicon.txt), and readers of such files."""

import re
from collections.abc import Iterator, Mapping
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


def read_blocks(file: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each block of a text file: the heading behind "= ", and the lines below it."""
    heading, lines = "", list[str]()
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            if heading:
                yield heading, lines
            heading, lines = line[2:], []
        elif line and not line.startswith("#"):
            lines.append(line)
    yield heading, lines


def read_patterns(file: Path, **parts: str) -> Iterator[tuple[list[str], str]]:
    """Yield for each pattern of a file of blocks the fields of its heading, and the pattern with each <NAME> filled in.

    `parts` are patterns by name; a block whose heading is a <NAME> adds another.
    """
    for heading, lines in read_blocks(file):
        patterns = [re.sub(r"<([A-Z_]+)>", lambda name: parts[name[1]], line) for line in lines]
        if heading.startswith("<"):
            parts[heading.strip("<>")] = f"(?:{'|'.join(patterns)})"
        else:
            yield from ((heading.split(" | "), pattern) for pattern in patterns)


@cache
def _sections() -> Mapping[str, frozenset[str]]:
    return {
        name: frozenset(entry.strip() for line in lines for entry in line.split(",") if entry.strip())
        for name, lines in read_blocks(Path(__file__).with_name("lexicon.txt"))
    }


@cache
def entries(section: str) -> frozenset[str]:
    """Return all words of a section."""
    return _sections()[section]


def alternatives(section: str) -> str:
    """Return a section as alternatives of a regular expression, longest first."""
    return one_of(entries(section))


def worded(words: str) -> re.Pattern[str]:
    r"""Compile `words`, ignoring case. A space matches any white space; line breaks and indentation are dropped."""
    return re.compile(_LINE_BREAK.sub("", words).replace(" ", r"\s+"), re.IGNORECASE)


def one_of(entries: frozenset[str]) -> str:
    """Return the words as alternatives of a regular expression, longest first."""
    return "|".join(sorted(map(re.escape, entries), key=lambda entry: (-len(entry), entry)))


def tail(section: str, phrase: str) -> str:
    """Return the longest entry at the end of `phrase`, as written there ("my old Labradors" -> "Labradors"), or ""."""
    tokens = phrase.split()
    for start in range(len(tokens)):
        last = " ".join(tokens[start:])
        if singular(last.lower()) in entries(section) or last.lower() in entries(section):
            return last
    return ""


def singular(phrase: str) -> str:
    """Make the last word singular: "golden retrievers" -> "golden retriever"."""
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
