import pytest

from characters.profiles import services as profiles
from characters.profiles.models import Character
from kgadmin.stores import wiring
from tests import invented
from tests.fixtures.talk import register_predicates
from tests.kgadmin.knowledge.ingestion import HashEmbedder


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> HashEmbedder:
    """In place of the real one, which takes seconds to load: nothing here is about meaning."""
    found = HashEmbedder()
    monkeypatch.setattr(wiring, "embedder", lambda: found)
    return found


@pytest.fixture
def resting(db: None) -> Character:
    """Tomasz, for pages that answer nothing: no other thread has to see him."""
    register_predicates()
    return profiles.create_character(slug="tomasz", sheet=invented.TOMASZ, by=None)
