"""A section: the text under one heading, or of one page or row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a document. `path` has the headings above it; `place` says where it stands ("page 3")."""

    path: tuple[str, ...]
    text: str
    place: str = ""


class Headings:
    """The headings above the place that a reader has reached."""

    def __init__(self) -> None:
        self._path: list[tuple[int, str]] = []

    def enter(self, depth: int, title: str) -> None:
        """Go below a heading of this depth, 1 for the highest."""
        self._path = [*((each, name) for each, name in self._path if each < depth), (depth, title)]

    def section(self, lines: Sequence[str]) -> Iterator[Section]:
        """Yield these lines as a section, unless they are empty."""
        text = "\n".join(lines)
        if text.strip():
            yield Section(tuple(name for _, name in self._path if name), text)


def spanning(first: str, last: str) -> str:
    """Return the place of two neighbours as one: "rows 3 to 5"."""
    if first == last or not first or not last:
        return first or last
    kind, _, start = first.partition(" ")
    return f"{kind.rstrip('s')}s {start.split(' ')[0]} to {last.rpartition(' ')[2]}"
