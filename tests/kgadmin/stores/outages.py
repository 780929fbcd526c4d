"""How long a store that doesn't answer keeps whoever asks it."""

import time
from collections.abc import Callable

import pytest

from kgadmin.stores.errors import StoreError

IN_TIME = 0.8
"""The read time-out of 0.5 s, and what a busy machine adds."""


def fails_in(read: Callable[[], object]) -> float:
    """How long it takes until `read` fails."""
    start = time.monotonic()
    with pytest.raises(StoreError):
        read()
    return time.monotonic() - start


def works(read: Callable[[], object]) -> bool:
    try:
        read()
    except StoreError:
        return False
    return True
