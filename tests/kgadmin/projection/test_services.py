"""The projector's loop: under a lease each, errors on the lease, the others go on."""

import pytest
from pytest_django.fixtures import Settings

from kgadmin.projection import services, tasks
from kgadmin.projection.comparing import Difference
from kgadmin.projection.models import Lease
from kgadmin.projection.services import Renew
from kgadmin.stores.errors import StoreError
from tests.kgadmin.projection.shelf import Shelf


def test_a_sweep_projects_every_stale_owner_and_gives_its_lease_back(shelf: type[Shelf]) -> None:
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


def test_a_fault_of_the_program_is_not_hidden(shelf: type[Shelf], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Shelf, owner: str, renew: Renew) -> None:
        raise KeyError(owner)

    monkeypatch.setattr(Shelf, "project", broken)
    with pytest.raises(KeyError):
        services.sweep()
    assert Lease.objects.get(owner="a").held_until is not None  # the next sweep goes on with the others


def test_drift_is_that_of_all_projectors(shelf: type[Shelf], settings: Settings) -> None:
    settings.PROJECTORS *= 2
    difference = Difference("a", "facts", "3", "2")
    shelf.differences.append(difference)
    assert services.drift() == [difference, difference]


def test_the_settings_name_projectors_that_are_there(settings: Settings) -> None:
    names = [type(projector).__name__ for projector in services.projectors()]
    assert names == ["CollectionProjector", "SheetProjector", "PersonProjector"]
