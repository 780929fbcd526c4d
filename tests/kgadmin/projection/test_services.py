"""The projector's loop: under a lease each, errors on the lease, the others go on; and what `manage.py drift` says."""

from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from kgadmin.projection import services, tasks
from kgadmin.projection.comparison import (
    Difference,
    Thing,
    compare_things,
    vector_thing,
)
from kgadmin.projection.models import Lease
from kgadmin.stores.errors import StoreError
from kgadmin.stores.values import VectorRow
from tests.kgadmin.projection.shelf import Shelf


def test_a_sweep_projects_every_owner_that_waits_and_gives_its_lease_back(shelf: type[Shelf]) -> None:
    assert services.sweep() == 3
    assert shelf.written == ["a", "b", "c"]
    assert set(Lease.objects.values_list("held_until", "failures", "error")) == {(None, 0, "")}
    assert services.sweep() == 0


def test_an_owner_that_somebody_projects_is_left_alone(shelf: type[Shelf]) -> None:
    Lease.take("b")
    tasks.sweep()
    assert shelf.written == ["a", "c"]


def test_an_engine_s_failure_stays_on_the_lease_until_its_wait_is_over_and_the_others_go_on(
    shelf: type[Shelf],
) -> None:
    shelf.refused["b"] = StoreError("The graph is down.")
    assert services.sweep() == 2
    assert shelf.written == ["a", "c"]
    lease = Lease.objects.get(owner="b")
    assert (lease.failures, lease.error, lease.held_until) == (1, "The graph is down.", None)
    shelf.refused.clear()
    assert services.sweep() == 0
    Lease.objects.update(retry_at=None)
    assert services.sweep() == 1
    assert Lease.objects.get(owner="b").error == ""


def drift() -> tuple[str, int]:
    """What it printed, and the exit code."""
    out = StringIO()
    try:
        call_command("drift", stdout=out)
    except SystemExit as end:
        return out.getvalue(), int(end.code or 0)
    return out.getvalue(), 0


def test_what_waits_is_said_and_is_no_drift(shelf: type[Shelf]) -> None:
    assert drift() == ("3 still waiting to be projected: a, b, c\nNo drift.\n", 0)
    shelf.owners.clear()
    assert drift() == ("No drift.\n", 0)


def test_differences_are_listed_behind_the_counts_and_end_with_code_1(shelf: type[Shelf]) -> None:
    shelf.owners.clear()
    shelf.written.append("a")
    shelf.differences += [
        Difference("character:1", "facts", "3", "2"),
        Difference("character:2", "character", "bo", "none"),
    ]
    printed, code = drift()
    counts, *lines = printed.splitlines()
    assert counts.split()[:3] == ["books", "database", "1"]
    assert lines == [
        "character:1: facts: the database has 3, found 2",
        "character:2: character: the database has bo, found none",
    ]
    assert code == 1


def test_an_engine_that_does_not_answer_ends_with_code_2(shelf: type[Shelf]) -> None:
    shelf.differences.append(StoreError("The graph is down."))
    with pytest.raises(CommandError, match="The graph is down") as caught:
        drift()
    assert caught.value.returncode == 2


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
