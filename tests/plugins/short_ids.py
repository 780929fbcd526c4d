"""Ids of tests with long parameters, shortened.

A test's id stands in its environment (PYTEST_CURRENT_TEST), and no process starts with a variable above 128 KiB.
"""

import pytest

LONGEST = 100


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    if isinstance(val, str | bytes) and len(val) > LONGEST:
        shown = ascii(val[: LONGEST // 2]).removeprefix("b")[1:-1]
        return f"{shown}... ({len(val)} {'bytes' if isinstance(val, bytes) else 'characters'})"
    return None
