"""Striking a process dead at the n-th pass of a place in its code: what "killed anywhere" is made of."""

import os
import signal
from itertools import count
from typing import Any


def strike_after(owner: Any, name: str, nth: int) -> None:
    """Have this process killed when `owner.name` has been called for the nth time and did its work."""
    original, passes = getattr(owner, name), count(1)

    def struck(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if next(passes) == nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, name, struck)
