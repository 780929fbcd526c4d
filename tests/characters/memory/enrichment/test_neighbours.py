import numpy as np
import pytest

from characters.memory.enrichment.neighbours import BLOCK, Floats, frontier_pairs, nearest, ranked


def unit(rows: list[list[float]]) -> Floats:
    vectors = np.array(rows, dtype=np.float32)
    found: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return found


LINE = unit([[1, 0], [0.9, 0.3], [0.65, 0.7], [0, 1]])
"""Each near the next one."""


def test_a_pair_is_there_once_the_earlier_message_first() -> None:
    pairs = nearest(LINE, anchors=1, floor=0.0)
    assert set(pairs) == {(0, 1), (1, 2), (2, 3)}
    assert pairs[0, 1] == pytest.approx(0.9487, abs=1e-4)


def test_what_is_below_the_floor_is_not_near() -> None:
    assert set(nearest(LINE, anchors=3, floor=0.9)) == {(0, 1)}


def test_no_message_is_near_itself() -> None:
    same = unit([[1, 0]] * 3)
    assert set(nearest(same, anchors=5, floor=0.5)) == {(0, 1), (0, 2), (1, 2)}


def test_too_few_messages_have_no_pairs() -> None:
    for count in (0, 1):
        assert nearest(np.ones((count, 2), dtype=np.float32), anchors=5, floor=0.0) == {}


def test_blocks_find_what_one_comparison_of_all_finds() -> None:
    vectors = np.random.default_rng(3).standard_normal((BLOCK + 40, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    scores = vectors @ vectors.T
    np.fill_diagonal(scores, -2)
    wanted = {tuple(sorted((row, int(other)))) for row in range(len(scores)) for other in np.argsort(-scores[row])[:2]}
    assert set(nearest(vectors, anchors=2, floor=-1.0)) == wanted


def test_neighbours_are_ranked_by_nearness() -> None:
    assert ranked({(1, 2): 0.5, (1, 3): 0.9, (2, 3): 0.7}) == {1: [3, 2], 2: [3, 1], 3: [1, 2]}


TEXTS = {1: "Yoga", 2: "Stretching", 3: "Pilates", 4: "Running"}


def test_the_frontier_is_what_is_near_to_the_anchors() -> None:
    neighbours = {1: [2], 2: [1, 3], 3: [2, 4], 4: [3]}
    assert (1, 3) in frontier_pairs(neighbours, TEXTS, anchors=1, frontier=2)
    assert (1, 4) not in frontier_pairs(neighbours, TEXTS, anchors=1, frontier=2)


def test_two_messages_that_have_only_each_other_are_a_pair() -> None:
    assert frontier_pairs({1: [2], 2: [1]}, TEXTS, anchors=5, frontier=3) == {(1, 2)}


def test_a_text_that_repeats_the_other_is_no_pair() -> None:
    texts = {1: "Hi there!", 2: "hi  THERE!", 3: "Hello"}
    neighbours = {1: [2, 3], 2: [1, 3], 3: [1, 2]}
    assert frontier_pairs(neighbours, texts, anchors=5, frontier=5) == {(1, 3), (2, 3)}


def test_both_knobs_bound_the_frontier() -> None:
    every = {n: [m for m in range(1, 31) if m != n] for n in range(1, 31)}
    texts = {n: f"Message {n}" for n in every}
    few = frontier_pairs(every, texts, anchors=1, frontier=1)
    assert 0 < len(few) <= 60
    assert len(few) < len(frontier_pairs(every, texts, anchors=3, frontier=3))
