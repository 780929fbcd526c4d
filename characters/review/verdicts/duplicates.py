"""Whether the same is known already, or waits already: by what the words mean."""

from collections.abc import Sequence

from characters.language.claims.meaning import meaning
from characters.review.verdicts.found import Found, Known, Proposed

VERSION = "1"
SAME = 0.92
"""Cosine of two sentences from which they say the same."""
NEAR = 0.80
SHOWN = 3


def judge(proposed: Proposed, known: Sequence[Known]) -> Found:
    """Bad for the same, warn for something near."""
    found = sorted(((_near(proposed, each), each) for each in known), key=lambda pair: -pair[0])
    nearest = [{**each.told(), "near": round(near, 2)} for near, each in found[:SHOWN] if near > 0]
    if not found or found[0][0] < NEAR:
        said = f"Nearest {found[0][0]:.2f}: {found[0][1].said}" if nearest else "Nothing is like it."
        return Found("good", said, VERSION, {"nearest": nearest})
    near, first = found[0]
    what = "It is" if near >= SAME else "Something near it is"
    where = {"core": "in her sheet", "learned": "learned", "identity": "in her identity text", "proposal": "waiting"}
    summary = f"{what} {where[first.kind]} already: {first.said}"
    return Found("bad" if near >= SAME else "warn", summary, VERSION, {"nearest": nearest})


def _near(proposed: Proposed, other: Known) -> float:
    if other.predicate and meaning(other.predicate, other.object) == proposed.meaning:
        return 1.0
    if proposed.vector is None or other.vector is None:
        return 0.0
    return float(proposed.vector @ other.vector)
