import subprocess

import pytest


@pytest.mark.parametrize("text", ["x" * 10_000_000, b"\0" * 200_000, "\u00e9\n" * 200_000, "short"])
def test_a_process_starts_in_a_test_with_long_parameters(text: str | bytes, request: pytest.FixtureRequest) -> None:
    subprocess.run(["true"], check=True)
    assert len(request.node.nodeid) < 1000
    assert request.node.nodeid.isascii()
    assert ("..." in request.node.nodeid) == (text != "short")
