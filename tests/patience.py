"""Waiting for what another process or thread does."""

import time
from collections.abc import Callable


def wait_for(check: Callable[[], bool], timeout: float, every: float = 0.05) -> bool:
    """Ask `check` until it says yes; False when `timeout` seconds have passed before."""
    deadline = time.monotonic() + timeout
    while not check():
        if time.monotonic() > deadline:
            return False
        time.sleep(every)
    return True
