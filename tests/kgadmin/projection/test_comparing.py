"""Counts, hashes and the ids that differ."""

import numpy as np

from kgadmin.projection.comparing import (
    Comparison,
    Difference,
    Digest,
    Thing,
    compare_things,
    joined,
    table,
    vector_thing,
)
from kgadmin.stores.vectors import VectorRow

ONE: Thing = ("thing:1", {"name": "Luna", "count": 1})
TWO: Thing = ("thing:2", {"name": "Sol", "count": 2})


def difference(expected: list[Thing], found: list[Thing]) -> Difference:
    (only,) = compare_things("person:1", "things", expected, found).differences
    return only


def test_the_same_things_in_another_order_have_the_same_hash() -> None:
    compared = compare_things("person:1", "things", [ONE, TWO], [TWO, ONE])
    assert compared.expected == compared.found
    assert compared.expected.count == 2
    assert compared.differences == []


def test_a_number_is_the_same_as_a_float_and_nothing_the_same_as_none() -> None:
    found: Thing = ("thing:1", {"name": "Luna", "count": 1.0, "colour": None})
    assert compare_things("person:1", "things", [ONE], [found]).differences == []


def test_what_is_missing_extra_and_otherwise_is_named() -> None:
    other: Thing = ("thing:2", {"name": "Moon", "count": 2})
    three: Thing = ("thing:3", {})
    four: Thing = ("thing:4", {})
    assert difference([ONE, TWO, three], [ONE, other, four]) == Difference(
        "person:1",
        "things",
        "3",
        "3: 1 missing (thing:3), 1 that should not be there (thing:4), 1 otherwise (thing:2)",
    )


def test_a_doubled_thing_is_one_too_many() -> None:
    assert difference([ONE], [ONE, ONE]).found == "2: 1 that should not be there (thing:1)"


def test_of_many_ids_a_few_are_named() -> None:
    many: list[Thing] = [(f"thing:{number}", {}) for number in range(10, 20)]
    names = "thing:10 thing:11 thing:12 thing:13 thing:14"
    assert difference(many, []).found == f"0: 10 missing ({names} and 5 more)"


def test_the_kinds_of_many_owners_are_added_up() -> None:
    parts = [compare_things(owner, "things", [ONE], found) for owner, found in (("a", [ONE]), ("b", []))]
    (whole,) = joined(parts)
    assert (whole.expected.count, whole.found.count) == (2, 1)
    assert [each.owner for each in whole.differences] == ["b"]
    assert whole.found == Digest.of([("thing:1", '{"count": 1.0, "name": "Luna"}')])


def test_a_table_shows_both_sides_and_leaves_out_what_there_is_nothing_of() -> None:
    same, nothing = Digest.of(["a"]), Digest()
    lines = list(table("graph", [Comparison("ones", same, same), Comparison("none", nothing, nothing)]))
    assert lines == [f"ones                      database        1 {same.hash}  =  graph        1 {same.hash}"]
    (line,) = table("vectors", [Comparison("twos", same, nothing)])
    assert line.split()[4:] == ["!", "vectors", "0", "00000000"]


def test_a_vector_that_differs_by_rounding_is_the_same_and_another_one_is_not() -> None:
    kept = np.array([0.6, 0.8], dtype=np.float32).tobytes()
    exact, rounded, other = (
        vector_thing(VectorRow("one", vector, "text", {"owner": "a"}), kept)
        for vector in ([0.6, 0.8], [0.6000001, 0.7999999], [0.8, 0.6])
    )
    assert exact == rounded
    assert exact != other
    assert vector_thing(VectorRow("one", [0.6], "text", {}), kept) != exact
