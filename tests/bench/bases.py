"""Knowledge bases for the benchmark: chunks whose vectors lie around those of sentences that a message may hold."""

import random
from collections.abc import Sequence

import numpy as np

from kgadmin.knowledge import ingest
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import Chunk, Document, KnowledgeBase
from kgadmin.stores import wiring
from kgadmin.stores.embedder import Vectors
from kgadmin.stores.values import VectorRow
from tests.bench.people import sentence

CHUNKS_A_DOCUMENT = 100
SUBJECTS = 60
"""Sentences of each base that a message may ask about."""
NEARNESS = 0.6
"""About the cosine of a chunk and the sentence it lies around: the threshold of a base is 0.40."""
WRITE_BATCH = 500


def add_bases(count: int, chunks: int, chance: random.Random) -> list[str]:
    """Fill so many bases, and give the sentences by which their chunks are found."""
    sentences: list[str] = []
    for number in range(count):
        subjects = [sentence(chance, 8) for _ in range(SUBJECTS)]
        _add_base(f"base_{number}", subjects, chunks, chance)
        sentences += subjects
    return sentences


def _add_base(slug: str, subjects: Sequence[str], count: int, chance: random.Random) -> None:
    embedder = wiring.embedder()
    base = knowledge.register(slug=slug, name=slug, by=None)
    base.change(embedder=embedder.id, for_everyone=True)
    around = embedder.embed(subjects)
    chunks = _chunks(base, count, chance)
    for chunk in chunks:
        chunk.vector = _near(around[chance.randrange(len(subjects))], chance).tobytes()
    Chunk.objects.bulk_create(chunks, batch_size=WRITE_BATCH)
    rows = [VectorRow(str(chunk.pk), chunk.values.tolist()) for chunk in chunks]
    for start in range(0, len(rows), WRITE_BATCH):
        wiring.vectors().upsert(base.collection, rows[start : start + WRITE_BATCH])
    ingest.recount(base, embedder)


def _chunks(base: KnowledgeBase, count: int, chance: random.Random) -> list[Chunk]:
    made: list[Chunk] = []
    for number in range(count // CHUNKS_A_DOCUMENT):
        document = Document.objects.create(
            base=base, name=f"{number}.md", kind="md", size=1, sha256="", content=b"", state=Document.State.DONE
        )
        made += [
            Chunk(base=base, document=document, index=index, text=sentence(chance, 60), tokens=80)
            for index in range(CHUNKS_A_DOCUMENT)
        ]
    return made


def _near(vector: Vectors, chance: random.Random) -> Vectors:
    noise = np.random.default_rng(chance.getrandbits(32)).standard_normal(len(vector)).astype(np.float32)
    mixed: Vectors = NEARNESS * vector + (1 - NEARNESS**2) ** 0.5 * noise / np.linalg.norm(noise)
    return (mixed / np.linalg.norm(mixed)).astype(np.float32)
