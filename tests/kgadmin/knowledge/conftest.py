from collections.abc import Callable

import pytest

from kgadmin.stores import wiring
from tests.kgadmin.knowledge.ingesting import HashEmbedder
from tests.servers import VectorServer


@pytest.fixture
def hashed(
    transactional_db: None, wire: Callable[..., None], vector_server: VectorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chroma, and an embedder that is ready at once."""
    wire(vector_server, vectors_timeout=5)
    embedder = HashEmbedder()
    monkeypatch.setattr(wiring, "embedder", lambda: embedder)
