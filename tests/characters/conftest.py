import pytest

from kgadmin.stores import wiring
from tests.fixtures.talk import register_predicates
from tests.kgadmin.knowledge.ingestion import HashEmbedder


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> HashEmbedder:
    """An embedder that is ready at once."""
    embedder = HashEmbedder()
    monkeypatch.setattr(wiring, "embedder", lambda: embedder)
    return embedder


@pytest.fixture
def predicates() -> None:
    """Those of the migration, which a test before this one may have swept away with all rows."""
    register_predicates()
