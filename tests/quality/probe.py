"""Kind B: which knowledge bases a message is about."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from characters.domain import words
from characters.domain.topics import IDLE
from characters.turn.calibration import WordCounts, calibrate, idle_likeness, threshold_of
from characters.turn.probe import Probe, plan, probe
from characters.turn.request import Base, Chunk, Nearest, Place, ProbeMemory, Readers, Vectors
from kgadmin.knowledge import chunking
from kgadmin.knowledge.reading.sections import Section
from kgadmin.stores import wiring
from tests.quality import files
from tests.quality.vectors import StoredVectors
from tests.quality.world import asked, empty_readers


class Shelf:
    """The bases of the material, chunked and embedded as ingestion does it, compared exactly."""

    def __init__(self, passages: files.Passages, vectors: StoredVectors) -> None:
        self._chunks = {chunk.id: chunk for slug, texts in passages.items() for chunk in _chunks(slug, texts)}
        self._places = {id_: Place(each.document, each.heading, each.index) for id_, each in self._chunks.items()}
        of = {slug: [each for each in self._chunks.values() if each.base == slug] for slug in passages}
        vectors.prepare([chunk.text for chunk in self._chunks.values()])
        self._ids = {slug: [chunk.id for chunk in chunks] for slug, chunks in of.items()}
        self._vectors = {slug: vectors.embed([chunk.text for chunk in chunks]) for slug, chunks in of.items()}
        self._counts = {slug: _count(chunks) for slug, chunks in of.items()}
        idle = vectors.embed(IDLE)
        tops = {slug: [[score for _, score in self._best(slug, row, 3)] for row in idle] for slug in of}
        self._calibration = calibrate(tops, self._counts, idle_likeness(idle))
        self.bases = tuple(Base(slug, "curated", threshold_of(rows), 1, slug) for slug, rows in tops.items())

    def readers(self, vectors: StoredVectors) -> Readers:
        """What a turn may ask of it."""
        return empty_readers(
            vectors.embed,
            nearest=self._nearest,
            word_counts=lambda bases, stems: {base.slug: self._counts[base.slug] for base in bases},
            calibration=lambda bases: self._calibration,
            places=lambda ids: {each: self._places[each] for each in ids},
        )

    def _nearest(self, bases: Sequence[Base], asked: Vectors, limit: int) -> Nearest:
        return Nearest({base.slug: [self._best(base.slug, row, limit) for row in asked] for base in bases})

    def _best(self, slug: str, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        ids = self._ids[slug]
        if not ids:
            return []
        similarities = self._vectors[slug] @ vector
        return [(ids[row], float(similarities[row])) for row in np.argsort(-similarities)[:limit]]


def _chunks(slug: str, texts: Sequence[str]) -> Iterator[Chunk]:
    for number, text in enumerate(texts):
        for index, piece in enumerate(chunking.chunk([Section((), text)], count=wiring.count_tokens)):
            yield Chunk(f"{slug}/{number}/{index}", slug, str(number), piece.heading, index, piece.text, piece.tokens)


def _count(chunks: Sequence[Chunk]) -> WordCounts:
    counts: Counter[str] = Counter()
    for chunk in chunks:
        counts.update(words.stems(f"{chunk.heading}\n{chunk.text}"))
    return WordCounts(counts, counts.total())


def predict(data: files.Data, vectors: StoredVectors) -> Iterator[Mapping[str, Any]]:
    """Per row the primary base, if any, and the supplemental ones. What was said before are turns of their own."""
    rows = files.rows(data, files.ProbeRow)
    shelf = Shelf(files.passages(data), vectors)
    readers = shelf.readers(vectors)
    vectors.prepare([text for row in rows for message in (*row.history, row.q) for text in _texts(message, shelf)])
    for row in rows:
        probed = _probed(row, shelf, readers)
        yield {"id": row.id, "primary": probed.primary or None, "supplemental": list(probed.supplemental)}


def _texts(message: str, shelf: Shelf) -> Sequence[str]:
    return plan(asked(message, bases=shelf.bases)).texts


def _probed(row: files.ProbeRow, shelf: Shelf, readers: Readers) -> Probe:
    probed, memory = Probe(), ProbeMemory()
    for message in (*row.history, row.q):
        request = asked(message, bases=shelf.bases, memory=memory)
        planned = plan(request)
        probed, memory = probe(request, planned, readers.embed(planned.texts), readers)
    return probed
