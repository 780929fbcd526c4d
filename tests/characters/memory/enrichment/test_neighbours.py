import numpy as np

from characters.memory.enrichment.neighbours import BLOCK, frontier_pairs, nearest


def test_blocks_find_what_one_comparison_of_all_finds() -> None:
    vectors = np.random.default_rng(3).standard_normal((BLOCK + 40, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    scores = vectors @ vectors.T
    np.fill_diagonal(scores, -2)
    wanted = {tuple(sorted((row, int(other)))) for row in range(len(scores)) for other in np.argsort(-scores[row])[:2]}
    assert set(nearest(vectors, anchors=2, floor=-1.0)) == wanted


TEXTS = {1: "Yoga", 2: "Stretching", 3: "Pilates", 4: "Running"}


def test_the_frontier_is_what_is_near_to_the_anchors() -> None:
    neighbours = {1: [2], 2: [1, 3], 3: [2, 4], 4: [3]}
    assert (1, 3) in frontier_pairs(neighbours, TEXTS, anchors=1, frontier=2)
    assert (1, 4) not in frontier_pairs(neighbours, TEXTS, anchors=1, frontier=2)


def test_a_text_that_repeats_the_other_is_no_pair() -> None:
    texts = {1: "Hi there!", 2: "hi  THERE!", 3: "Hello"}
    neighbours = {1: [2, 3], 2: [1, 3], 3: [1, 2]}
    assert frontier_pairs(neighbours, texts, anchors=5, frontier=5) == {(1, 3), (2, 3)}
