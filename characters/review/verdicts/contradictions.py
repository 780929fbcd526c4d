"""Whether it can't be true beside what is known, or beside what waits: by how many there can be, and by the words."""

from collections.abc import Iterable

from characters.domain import words
from characters.language.gate.contradiction import compare
from characters.review.verdicts.found import Found, Known, Proposed

VERSION = "1"
SHOWN = 5
MOST_WAITING = 20
"""Proposals that say otherwise: each of them is to know of the others."""
_GRAVITY = {"core": "bad", "identity": "bad", "learned": "warn", "proposal": "warn"}


def judge(proposed: Proposed, known: Iterable[Known]) -> Found:
    """Bad where the sheet says otherwise; warn where something learned, or another proposal, does."""
    stems = frozenset(words.stems(proposed.object))
    found = [(each, why) for each in known if (why := _contradicts(proposed, each, stems))]
    known_ones = [pair for pair in found if pair[0].kind != "proposal"][:SHOWN]
    waiting = [pair for pair in found if pair[0].kind == "proposal"][:MOST_WAITING]
    conflicts = [{**each.told(), "why": why} for each, why in (*known_ones, *waiting)]
    if not found:
        return Found("good", "Nothing says otherwise.", VERSION, {"conflicts": []})
    gravest = min(found, key=lambda pair: _GRAVITY[pair[0].kind])[0]
    outcome = "bad" if _GRAVITY[gravest.kind] == "bad" else "warn"
    return Found("bad" if outcome == "bad" else "warn", f"Otherwise: {gravest.said}", VERSION, {"conflicts": conflicts})


def _contradicts(proposed: Proposed, other: Known, stems: frozenset[str]) -> str:
    is_one = proposed.only_one and other.predicate == proposed.predicate
    if not is_one and stems.isdisjoint(words.stems(other.said)):
        return ""
    found = compare(other.said, proposed.said, only_one=is_one)
    return found.why if found.label == "Contradiction" else ""
