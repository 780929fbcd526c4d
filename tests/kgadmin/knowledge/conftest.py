from collections.abc import Callable

import pytest

from kgadmin.jobs import runner
from kgadmin.knowledge import services
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.stores import wiring
from tests.kgadmin.knowledge.ingestion import HashEmbedder
from tests.kgadmin.stores.exact_index import ExactIndex
from tests.servers import VectorServer


@pytest.fixture
def reef(db: None) -> KnowledgeBase:
    """A base without documents."""
    return services.register(name="Reef notes", description="Surveys and counts", by=None)


@pytest.fixture
def hashed(db: None, monkeypatch: pytest.MonkeyPatch) -> ExactIndex:
    """Vectors in this process, and an embedder that is ready at once."""
    embedder, index = HashEmbedder(), ExactIndex()
    monkeypatch.setattr(wiring, "embedder", lambda: embedder)
    monkeypatch.setattr(wiring, "vectors", lambda: index)
    monkeypatch.setattr(runner, "HEARTBEAT_S", 60)  # the heart's thread would wait for the test's transaction
    return index


@pytest.fixture
def on_chroma(
    transactional_db: None, wire: Callable[..., None], vector_server: VectorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chroma, a database that other processes see, and an embedder that is ready at once."""
    wire(vector_server, vectors_timeout=5)
    embedder = HashEmbedder()
    monkeypatch.setattr(wiring, "embedder", lambda: embedder)
