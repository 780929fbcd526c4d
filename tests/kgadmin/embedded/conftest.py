"""A filled program for the tests of its folder."""

import pytest

from tests.kgadmin.embedded.filled import Filled, fill


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    """Filled once for all tests."""
    return fill(tmp_path_factory.mktemp("filled"))
