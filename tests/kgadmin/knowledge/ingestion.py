"""For tests of ingestion: documents, a cheap embedder, and what must hold in the end."""

import hashlib
from collections.abc import Sequence

import numpy as np

from kgadmin.knowledge import chunking, ingest, services
from kgadmin.knowledge.models import Document, KnowledgeBase
from kgadmin.knowledge.reading.kinds import Kind
from kgadmin.knowledge.reading.reader import read
from kgadmin.projection.models import Change
from kgadmin.stores import wiring
from kgadmin.stores.embedder import Embedder, Vectors


class HashEmbedder(Embedder):
    """Different texts, different vectors, at once: a killed process shall not have spent 10 s on loading a model."""

    state, library, note = "up", "hashes", ""

    def __init__(self, name: str = "hash") -> None:
        self._name = name

    @property
    def id(self) -> str:
        return self._name

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Vectors:
        seed = hashlib.sha256(f"{self._name}: {text}".encode()).digest()
        vector = np.random.default_rng(list(seed)).standard_normal(16).astype(np.float32)
        unit: Vectors = vector / np.linalg.norm(vector)
        return unit


def use_hash_embedder() -> HashEmbedder:
    """Let this process embed with nothing else."""
    embedder = HashEmbedder()
    wiring.embedder = lambda: embedder  # type: ignore[assignment,return-value]
    return embedder


def paper(topic: str, sections: int = 12) -> bytes:
    """A document that makes as many chunks as it has sections."""
    body = "\n\n".join(f"## Part {number}\n\n{f'About {topic} number {number}. ' * 12}" for number in range(sections))
    return f"# {topic}\n\n{body}".encode()


BROKEN = "Größe".encode() + b"\xe2\x28"
"""Text in no encoding."""


def base_in_motion() -> KnowledgeBase:
    """Three documents ingested; then one removed, one replaced in part, one added, one broken."""
    base = services.register(name="Reef", by=None)
    for name in ("gone.md", "kept.md", "changed.md"):
        services.add_document(base=base, name=name, content=paper(name), by=None)
    finish(base)
    services.remove_document(base.documents.get(name="gone.md"), by=None)
    changed = paper("changed.md", sections=6) + paper("more", sections=6)
    services.add_document(base=base, name="changed.md", content=changed, by=None)
    services.add_document(base=base, name="new.md", content=paper("new.md"), by=None)
    services.add_document(base=base, name="broken.txt", content=BROKEN, by=None)
    return base


def finish(base: KnowledgeBase) -> None:
    """Run the base's job here, as a worker would."""
    from kgadmin.jobs import runner

    runner.run(services.ingest(base, by=None).pk)


def assert_whole(base: KnowledgeBase) -> None:
    """Rows as the documents' texts make them, vectors as the embedder makes them of the rows, the collection as the
    rows, nothing double, missing or left over."""
    base.refresh_from_db()
    assert not base.documents.unfinished()
    assert not Change.objects.waits(base.subject)
    for document in base.documents.exclude(state=Document.State.DONE, content=b""):
        assert [(c.index, c.heading, c.text) for c in document.chunks.all()] == expected_chunks(document)
    chunks = {str(chunk.pk): chunk for chunk in base.chunks.select_related("document")}
    held = list(wiring.vectors().rows(base.collection))
    assert sorted(row.id for row in held) == sorted(chunks)
    for row in held:
        chunk = chunks[row.id]
        np.testing.assert_allclose(row.vector, chunk.values, atol=1e-6)
        (vector,) = wiring.embedder().embed([ingest.embedded_text(chunk.document.name, chunk)])
        np.testing.assert_allclose(vector, chunk.values, atol=1e-6)
    assert base.word_counts.total > 0


def expected_chunks(document: Document) -> list[tuple[int, str, str]]:
    if document.state == Document.State.FAILED:
        return []
    sections = read(Kind(document.kind), bytes(document.content)).sections
    sizes = {"max_tokens": document.base.chunk_tokens, "overlap_tokens": document.base.overlap_tokens}
    pieces = chunking.chunk(sections, count=wiring.count_tokens, **sizes)
    return [(index, piece.heading, piece.text) for index, piece in enumerate(pieces)]
