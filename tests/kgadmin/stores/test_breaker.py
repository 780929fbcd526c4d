import pytest

from kgadmin.stores.errors import Breaker, StoreError


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker("The graph", seconds=5, now=clock)


def test_a_store_that_failed_is_skipped_for_a_while_that_skipping_makes_no_longer(
    breaker: Breaker, clock: Clock
) -> None:
    with pytest.raises(StoreError, match="broken"), breaker.guard():
        raise StoreError("broken")
    message = "The graph did not answer a moment ago; it is asked again in 5 s"
    with pytest.raises(StoreError, match=message), breaker.guard():
        pytest.fail("the store was asked")
    clock.now += 4
    with pytest.raises(StoreError), breaker.guard():
        pytest.fail("the store was asked")
    clock.now += 1
    with breaker.guard():
        assert not breaker.is_open
