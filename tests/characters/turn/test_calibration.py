import pytest

from characters.domain.words.idle import TEXTS
from characters.turn.calibration import WordCounts, calibrate, subject_of

COUNTS = {"port": WordCounts({"ferri": 3, "rudder": 2}, 10)}


def tops(similarity: float) -> list[list[float]]:
    """The same near chunk for every idle message."""
    return [[similarity, similarity / 2] for _ in TEXTS]


def test_a_set_of_bases_that_is_near_to_everything_needs_more() -> None:
    near, far = (calibrate({"port": tops(similarity)}, COUNTS) for similarity in (0.6, 0.1))
    assert near.needed > far.needed
    assert near.usual["port"] == pytest.approx((0.6, 0.0))


def test_most_idle_messages_stay_below_what_is_needed() -> None:
    found = calibrate({"port": tops(0.2)}, COUNTS)
    passing = [text for text in TEXTS if found.strength("port", 0.2, 0.0, subject_of(text), 0.0) > found.needed]
    assert len(passing) <= 0.08 * len(TEXTS)
