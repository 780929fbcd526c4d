import pytest

from characters.conversations import services
from characters.conversations.models import Person
from characters.profiles import services as profiles
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.stores import wiring
from tests import invented
from tests.fixtures.talk import register_predicates
from tests.kgadmin.knowledge.ingestion import HashEmbedder


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> HashEmbedder:
    """In place of the real one, which takes seconds to load: nothing here is about meaning."""
    hashed = HashEmbedder()
    monkeypatch.setattr(wiring, "embedder", lambda: hashed)
    return hashed


@pytest.fixture
def resting(db: None) -> Character:
    """Tomasz, for pages that answer nothing: no other thread has to see him."""
    register_predicates()
    return profiles.create_character(slug="tomasz", sheet=invented.TOMASZ, by=None)


@pytest.fixture
def mark(tester: User) -> Person:
    return services.new_test_person(name="Mark", by=tester)
