import pytest

from characters.profiles import services as profiles
from characters.profiles.models import Character
from kgadmin.jobs import runner
from tests import invented
from tests.fixtures.talk import make_invented_bases, register_predicates
from tests.kgadmin.knowledge.conftest import hashed
from tests.kgadmin.stores.exact_index import ExactIndex

__all__ = ["hashed"]


@pytest.fixture
def shelved(hashed: ExactIndex, monkeypatch: pytest.MonkeyPatch) -> Character:
    """Tomasz with his two bases ingested, on vectors that are near or far by chance."""
    register_predicates()
    make_invented_bases()
    monkeypatch.setattr(runner, "HEARTBEAT_S", 60)
    return profiles.create_character(slug="tomasz", sheet=invented.TOMASZ, by=None)
