"""How much of what a careful reader takes out of written replies the patterns find, and how much of it is right."""

import pytest

from characters.language.claims.patterns import extract
from tests.characters.language.claims.sentences import rows, score
from tests.characters.turn.world import REGISTRY

PRECISION, RECALL = 0.9, 0.4


@pytest.mark.parametrize("name", ["sentences.txt", "unseen.txt"])
def test_the_patterns_are_right_and_find_enough(name: str) -> None:
    total = score(rows(name), lambda row: extract(row.reply, REGISTRY, "Elena", row.asked))
    print(f"\n{name}: {total}", *total.notes, sep="\n  ")
    assert total.precision >= PRECISION
    assert total.recall >= RECALL
