import pytest

from kgadmin.stores.errors import Breaker, StoreError


def test_a_store_that_failed_is_skipped_for_a_while_that_skipping_makes_no_longer() -> None:
    now = 100.0
    breaker = Breaker("The graph", now=lambda: now)
    with pytest.raises(StoreError, match="broken"), breaker.guard():
        raise StoreError("broken")
    message = "The graph did not answer a moment ago; it is asked again in 5 s"
    with pytest.raises(StoreError, match=message), breaker.guard():
        pytest.fail("the store was asked")
    now += 4
    with pytest.raises(StoreError), breaker.guard():
        pytest.fail("the store was asked")
    now += 1
    with breaker.guard():
        assert not breaker.is_open
