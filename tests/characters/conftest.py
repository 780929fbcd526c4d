import pytest

from kgadmin.stores import wiring
from tests.kgadmin.knowledge.ingestion import HashEmbedder


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> HashEmbedder:
    """An embedder that is ready at once."""
    embedder = HashEmbedder()
    monkeypatch.setattr(wiring, "embedder", lambda: embedder)
    return embedder
