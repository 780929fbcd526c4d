"""Leases: one projector per owner at a time, and when the next try may come."""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
import time_machine
from time_machine import Traveller

from kgadmin.projection.models import LEASE_SECONDS, RETRY_SECONDS, Lease, LeaseLostError
from tests.processes import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock() -> Iterator[Traveller]:
    with time_machine.travel(datetime(2026, 3, 1, 12, tzinfo=UTC), tick=False) as clock:
        yield clock


def taken(owner: str = "character:1") -> Lease:
    lease = Lease.take(owner)
    assert lease is not None
    return lease


def test_a_lease_that_is_held_is_not_taken_until_it_is_given_back_or_runs_out(clock: Traveller) -> None:
    lease = taken()
    clock.shift(LEASE_SECONDS)
    assert Lease.take("character:1") is None
    assert Lease.take("character:2") is not None
    lease.release()
    taken()
    clock.shift(LEASE_SECONDS + 1)
    taken()


def test_who_slept_longer_than_the_lease_learns_so_and_cannot_give_back_that_of_the_next(clock: Traveller) -> None:
    slept = taken()
    clock.shift(LEASE_SECONDS + 1)
    taken()
    slept.release()
    assert Lease.take("character:1") is None
    slept.release_failed("late")
    with pytest.raises(LeaseLostError):
        slept.renew()
    assert Lease.take("character:1") is None
    assert Lease.objects.get().error == ""


def test_a_lease_that_is_renewed_is_held_for_as_long_as_the_work_takes(clock: Traveller) -> None:
    lease = taken()
    for _ in range(10):
        clock.shift(LEASE_SECONDS - 1)
        lease.renew()
        assert Lease.take("character:1") is None
    clock.shift(LEASE_SECONDS + 1)
    assert Lease.take("character:1") is not None


def test_after_failures_the_next_try_waits_longer_and_longer(clock: Traveller) -> None:
    for failures, seconds in enumerate([*RETRY_SECONDS, RETRY_SECONDS[-1]], start=1):
        taken().release_failed("The graph is down.")
        lease = Lease.objects.get()
        assert (lease.failures, lease.error, lease.held_until) == (failures, "The graph is down.", None)
        clock.shift(seconds - 0.1)
        assert Lease.take("character:1") is None
        clock.shift(0.1)


def test_of_two_projectors_that_read_the_same_lease_one_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Lease.objects.get_or_create

    def read_by_both(**owner: Any) -> tuple[Lease, bool]:
        row = read(**owner)
        monkeypatch.undo()
        taken().release()  # the other one is faster, and is done already
        return row

    monkeypatch.setattr(Lease.objects, "get_or_create", read_by_both)
    assert Lease.take("character:1") is None


@pytest.mark.engine
@pytest.mark.django_db(transaction=True)
def test_of_many_who_take_a_lease_at_once_one_gets_it() -> None:
    taken("known").release()
    for owner in ("known", "new"):
        leases = at_once(partial(Lease.take, owner), 6)
        assert [lease is not None for lease in leases].count(True) == 1, owner
    assert Lease.objects.count() == 2
