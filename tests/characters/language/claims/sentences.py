"""The written sets of replies with what each states: how they are read, and how an extractor is scored on them."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from characters.language.claims.patterns import Claim

GROUPS = {"LIKING": frozenset({"LIKES", "LOVES", "ENJOYS"}), "DISLIKING": frozenset({"DISLIKES", "HATES"})}
_ARTICLE = re.compile(r"^(?:an?|the) ")

Wanted = tuple[frozenset[str], frozenset[str]]
"""The accepted predicates and the accepted objects of one statement."""


@dataclass
class Row:
    """A reply, what it answers, and what it states."""

    reply: str
    asked: str = ""
    wanted: list[Wanted] = field(default_factory=list)


@dataclass
class Score:
    """Claims that are right or wrong, and statements that were missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)

    def __str__(self) -> str:
        return (
            f"precision {self.precision:.3f}, recall {self.recall:.3f} "
            f"({self.right} right, {self.wrong} wrong, {self.missed} missed)"
        )


def rows(name: str) -> list[Row]:
    """The rows of a set beside this file; its head says how it is written."""
    rows_read: list[Row] = []
    asked = ""
    for line in (Path(__file__).parent / name).read_text().splitlines():
        if not line or line.startswith("# "):
            continue
        if line.startswith("? "):
            asked = line[2:]
        elif line.startswith("= "):
            rows_read[-1].wanted.append(_wanted(line[2:]))
        else:
            rows_read.append(Row(line.replace("\\n", "\n"), asked))
            asked = ""
    return rows_read


def score(written: Iterable[Row], extract: Callable[[Row], Iterable[Claim]]) -> Score:
    """Counted by statement, over all rows."""
    total = Score()
    for row in written:
        claims = [(each.predicate, plain(each.object)) for each in extract(row)]
        right = [each for each in row.wanted if any(_is(pair, each) for pair in claims)]
        wrong = [pair for pair in claims if not any(_is(pair, each) for each in row.wanted)]
        total.right += len(right)
        total.wrong += len(wrong)
        total.missed += len(row.wanted) - len(right)
        if wrong or len(right) < len(row.wanted):
            missed = [(*sorted(each[0]), *sorted(each[1])) for each in row.wanted if each not in right]
            total.notes.append(f"{row.reply!r}: wrong {wrong}, missed {missed}")
    return total


def plain(text: str) -> str:
    """Lower case, without an article in front."""
    return _ARTICLE.sub("", " ".join(text.lower().split()))


def _wanted(line: str) -> Wanted:
    predicates, _, text = line.partition(": ")
    accepted = frozenset[str]().union(*(GROUPS.get(name, {name}) for name in predicates.split("|")))
    return accepted, frozenset(plain(each) for each in text.split(" | "))


def _is(text: tuple[str, str], wanted: Wanted) -> bool:
    return text[0] in wanted[0] and text[1] in wanted[1]
