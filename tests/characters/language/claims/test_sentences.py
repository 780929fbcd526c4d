"""How much of what a careful reader takes out of written replies the patterns find, and how much of it is right."""

import pytest

from characters.language.claims.patterns import extract
from tests.characters.language.claims.sentences import rows, score
from tests.characters.turn.world import REGISTRY

PRECISION, RECALL = 0.9, 0.4
SETS = {"sentences.txt": (200, 100), "unseen.txt": (60, 25)}
"""How many replies at least, and how many of them with a statement, and how many without."""


@pytest.mark.parametrize("name", SETS)
def test_the_patterns_are_right_and_find_enough(name: str) -> None:
    total = score(rows(name), lambda row: extract(row.reply, REGISTRY, "Elena", row.asked))
    print(f"\n{name}: {total}", *total.notes, sep="\n  ")
    assert total.precision >= PRECISION
    assert total.recall >= RECALL


@pytest.mark.parametrize("name", SETS)
def test_a_set_has_enough_replies_of_either_kind(name: str) -> None:
    written = rows(name)
    least, of_each = SETS[name]
    assert len({(row.asked, row.reply) for row in written}) == len(written) >= least
    assert sum(bool(row.wanted) for row in written) >= of_each
    assert sum(not row.wanted for row in written) >= of_each
