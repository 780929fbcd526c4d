"""Asking one base as the probe would, for its page."""

from dataclasses import dataclass

from kgadmin.knowledge.models import Chunk, KnowledgeBase
from kgadmin.stores import wiring

LIMIT = 12


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk near to a question; `similarity` is the cosine."""

    chunk: Chunk
    similarity: float


@dataclass(frozen=True, slots=True)
class Found:
    """The nearest chunks, best first, on either side of the base's threshold."""

    hits: list[Hit]
    below: list[Hit]


def search(base: KnowledgeBase, question: str) -> Found:
    """The nearest chunks of the base. Raises `StoreError`."""
    vectors = wiring.embedder().embed([question])
    matches = wiring.vectors().query(base.collection, vectors, LIMIT)[0]
    chunks = base.chunks.select_related("document").defer("vector", "document__content")
    by_id = {str(chunk.pk): chunk for chunk in chunks.filter(pk__in=[int(match.id) for match in matches])}
    found = [Hit(by_id[match.id], match.similarity) for match in matches if match.id in by_id]
    return Found(
        hits=[hit for hit in found if hit.similarity >= base.threshold],
        below=[hit for hit in found if hit.similarity < base.threshold],
    )
