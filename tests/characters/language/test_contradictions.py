from collections import Counter
from pathlib import Path

import pytest

from characters.domain.lexicon import read_blocks
from characters.language.contradictions import contradiction


def precision_and_recall(name: str) -> tuple[float, float]:
    """Of Contradiction, in a file whose lines are an earlier and a later statement."""
    counts = Counter(
        (label == "Contradiction", bool(contradiction(*line.split(" | "))))
        for label, lines in read_blocks(Path(__file__).with_name(name))
        for line in lines
    )
    right = counts[True, True]
    return right / (right + counts[False, True]), right / (right + counts[True, False])


@pytest.mark.parametrize(("name", "precision", "recall"), [("pairs.txt", 0.97, 0.94), ("others.txt", 0.97, 0.57)])
def test_contradictions_are_found_among_pairs_of_statements(name: str, precision: float, recall: float) -> None:
    """The rules were written with both sets in view; `others` came later and was less so (docs/quality.md)."""
    shares = precision_and_recall(name)
    print(f"{name}: precision {shares[0]:.2f}, recall {shares[1]:.2f}")
    assert shares[0] >= precision
    assert shares[1] >= recall


@pytest.mark.parametrize(
    ("earlier", "later", "why"),
    [
        ("I love jazz.", "I can't stand jazz.", "One likes what the other one dislikes."),
        ("I speak French.", "I don't speak French.", "One denies what the other one says."),
        ("I have two brothers.", "I have three brothers.", "The numbers differ."),
        ("My favourite coral is staghorn.", "My favourite coral is brain coral.", "There can be only one of it."),
        ("I'm an early riser.", "I'm a late riser.", "“earli / late” are opposites."),
        (
            "I was born at sea. I love old jazz records.",
            "I hate old jazz records.",
            "One likes what the other one dislikes.",
        ),
    ],
)
def test_a_contradiction_says_why(earlier: str, later: str, why: str) -> None:
    assert contradiction(earlier, later) == why
    assert contradiction(later, earlier) or "." in earlier[:-1]


def test_another_object_contradicts_where_there_can_be_only_one() -> None:
    statements = "I root for the Padres.", "I root for the Dodgers."
    assert not contradiction(*statements)
    assert contradiction(*statements, only_one=True) == "Only one of them can be so."
    assert not contradiction("I root for the Padres.", "I root for the Padres, always.", only_one=True)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("I live in La Jolla", "I am from Tijuana"),
        (
            "I was born in Odense. My mother was a midwife. We moved often.",
            "I admire every storm.",
        ),
    ],
)
def test_what_may_both_be_true_is_no_contradiction(earlier: str, later: str) -> None:
    assert not contradiction(earlier, later)
    assert not contradiction(later, earlier)
