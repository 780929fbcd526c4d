"""The projector's loop: under a lease each, errors on the lease, the others go on."""

from kgadmin.projection import services, tasks
from kgadmin.projection.models import Lease
from kgadmin.stores.errors import StoreError
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
