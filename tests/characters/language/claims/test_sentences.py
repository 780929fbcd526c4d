"""How much of what a careful reader takes out of written replies the patterns find, and how much of it is right."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from characters.language.claims.patterns import extract
from tests.characters.turn.world import REGISTRY

PRECISION, RECALL = 0.9, 0.4
GROUPS = {"LIKING": frozenset({"LIKES", "LOVES", "ENJOYS"}), "DISLIKING": frozenset({"DISLIKES", "HATES"})}
ARTICLE = re.compile(r"^(?:an?|the) ")


@dataclass
class Row:
    """A reply, what it answers, and the accepted predicates and objects of each of its statements."""

    reply: str
    asked: str
    wanted: list[tuple[frozenset[str], frozenset[str]]] = field(default_factory=list)


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
            names, _, objects = line[2:].partition(": ")
            accepted = frozenset[str]().union(*(GROUPS.get(name, {name}) for name in names.split("|")))
            rows_read[-1].wanted.append((accepted, frozenset(map(plain, objects.split(" | ")))))
        else:
            rows_read.append(Row(line.replace("\\n", "\n"), asked))
            asked = ""
    return rows_read


def plain(text: str) -> str:
    """Lower case, without an article in front."""
    return ARTICLE.sub("", " ".join(text.lower().split()))


@pytest.mark.parametrize("name", ["sentences.txt", "unseen.txt"])
def test_the_patterns_are_right_and_find_enough(name: str) -> None:
    right = wrong = missed = 0
    for row in rows(name):
        claims = [(each.predicate, plain(each.object)) for each in extract(row.reply, REGISTRY, "Elena", row.asked)]
        fits = [[claim[0] in names and claim[1] in objects for claim in claims] for names, objects in row.wanted]
        lost = [wanted for wanted, hits in zip(row.wanted, fits, strict=True) if not any(hits)]
        false = [claim for place, claim in enumerate(claims) if not any(hits[place] for hits in fits)]
        right, wrong, missed = right + len(row.wanted) - len(lost), wrong + len(false), missed + len(lost)
        if lost or false:
            print(f"{row.reply!r}: wrong {false}, missed {lost}")
    print(f"{name}: {right} right, {wrong} wrong, {missed} missed")
    assert right / (right + wrong) >= PRECISION
    assert right / (right + missed) >= RECALL
