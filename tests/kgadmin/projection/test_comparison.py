"""Counts, hashes and the ids that differ."""

import numpy as np

from kgadmin.projection.comparison import (
    Difference,
    Thing,
    compare_things,
    vector_thing,
)
from kgadmin.stores.values import VectorRow

LUNA: Thing = ("thing:1", {"name": "Luna", "count": 1})
SOL: Thing = ("thing:2", {"name": "Sol", "count": 2})


def difference(expected: list[Thing], stored: list[Thing]) -> Difference:
    (only,) = compare_things("person:1", "things", expected, stored).differences
    return only


def test_a_number_is_the_same_as_a_float_and_nothing_the_same_as_none() -> None:
    stored: Thing = ("thing:1", {"name": "Luna", "count": 1.0, "colour": None})
    assert compare_things("person:1", "things", [LUNA], [stored]).differences == []


def test_what_is_missing_extra_and_otherwise_is_named() -> None:
    other: Thing = ("thing:2", {"name": "Moon", "count": 2})
    three: Thing = ("thing:3", {})
    four: Thing = ("thing:4", {})
    assert difference([LUNA, SOL, three], [LUNA, other, four]) == Difference(
        "person:1",
        "things",
        "3",
        "3: 1 missing (thing:3), 1 that should not be there (thing:4), 1 otherwise (thing:2)",
    )


def test_a_vector_that_differs_by_rounding_is_the_same_and_another_one_is_not() -> None:
    expected = np.array([0.6, 0.8], dtype=np.float32).tobytes()
    exact, rounded, other = (
        vector_thing(VectorRow("one", vector), expected) for vector in ([0.6, 0.8], [0.6000001, 0.7999999], [0.8, 0.6])
    )
    assert exact == rounded
    assert exact != other
    assert vector_thing(VectorRow("one", [0.6]), expected) != exact
