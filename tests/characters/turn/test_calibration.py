import pytest

from characters.domain.words.idle import TEXTS
from characters.turn.calibration import Calibration, WordCounts, calibrate, subject_of

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


def test_a_base_that_was_never_measured_is_taken_for_a_typical_one() -> None:
    assert calibrate({"port": []}, COUNTS) == Calibration()


def test_strength_grows_with_likeness_words_and_what_was_said_before() -> None:
    calm = Calibration()
    least = calm.strength("port", 0.3, 0.5, 5.0, 0.0)
    assert calm.strength("port", 0.5, 0.5, 5.0, 0.0) > least
    assert calm.strength("port", 0.3, 1.5, 5.0, 0.0) > least
    assert calm.strength("port", 0.3, 0.5, 9.0, 0.0) > least
    assert calm.strength("port", 0.3, 0.5, 5.0, 1.0) > least
