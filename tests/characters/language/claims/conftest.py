"""The registry that every installation begins with."""

import json
from pathlib import Path

import pytest

from characters import profiles
from characters.domain.sheet import Predicate


@pytest.fixture(scope="session")
def registered() -> dict[str, Predicate]:
    rows = json.loads((Path(profiles.__file__).parent / "predicates.json").read_text())
    return {row["name"]: Predicate(**row) for row in rows}
