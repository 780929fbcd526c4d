"""The index file of a base: its chunks' vectors and word counts, written by the worker for each version.

A turn compares its phrases with every vector exactly, in this process: ten bases of 10,000 chunks take 10 ms, a query
of the vector store 4 ms per base and an approximation (decision 021). Where there is no file of a base's version, the
vector store answers.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from characters.domain.stem_keys import keys_of, places_of
from characters.turn.request import Base
from kgadmin.knowledge.models import KnowledgeBase, WordCounts
from kgadmin.stores import wiring
from kgadmin.stores.embedder import Vectors
from kgadmin.stores.index_files import Arrays

PREFIX = "base-"
MOST_CHUNKS = 200_000
"""Chunks from which a base has no file: comparing with all would take longer than the vector store."""
PAGE = 1_000


@dataclass(frozen=True, slots=True)
class BaseIndex:
    """An open index file."""

    arrays: Arrays

    def nearest(self, vectors: Vectors, limit: int) -> list[list[tuple[str, float]]]:
        """Return, for each row of `vectors`, the nearest chunks as (id, cosine), best first."""
        stored, ids = self.arrays["vectors"], self.arrays["ids"]
        if not len(ids) or stored.shape[1:] != vectors.shape[1:]:
            return [[] for _ in vectors]
        cosines = vectors @ stored.T
        count = min(limit, len(ids))
        best = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
        return [
            sorted(((str(ids[place]), float(row[place])) for place in places), key=lambda each: -each[1])
            for row, places in zip(cosines, best, strict=True)
        ]

    def counts(self, stems: Iterable[str]) -> dict[str, int]:
        """Return how often each stem occurs in the base; those that don't are left out."""
        stems, counts = list(stems), self.arrays["counts"]
        places = zip(stems, places_of(stems, self.arrays["stems"]), strict=True)
        return {stem: int(counts[place]) for stem, place in places if place is not None}

    @property
    def total(self) -> int:
        """Return the words of the base."""
        return int(self.arrays["total"][0])

    @property
    def idle(self) -> NDArray[np.float32]:
        """Return the highest similarities of each idle message, as in `WordCounts.idle`."""
        return self.arrays["idle"]


def read(base: Base) -> BaseIndex | None:
    """Return the index of the base's version, or None if it isn't written, or was written elsewhere."""
    arrays = wiring.index_files().read(f"{PREFIX}{base.key}", str(base.version))
    return BaseIndex(arrays) if arrays else None


def is_missing(base: KnowledgeBase) -> bool:
    """Return whether the index of the base's version is to be written."""
    return str(base.version) not in wiring.index_files().versions(f"{PREFIX}{base.pk}")


def drop_others(keys: Collection[int]) -> None:
    """Delete the files of every base but these, and what nobody finished writing."""
    files = wiring.index_files()
    files.delete_unfinished()
    for owner in files.owners():
        if owner.startswith(PREFIX) and int(owner.removeprefix(PREFIX)) not in keys:
            files.drop(owner)


def write(base: KnowledgeBase) -> None:
    """Write the index of the base as its rows are, unless it is too large."""
    if base.chunks.count() > MOST_CHUNKS:
        wiring.index_files().drop(f"{PREFIX}{base.pk}")
        return
    counted = WordCounts.objects.filter(base=base).first() or WordCounts()
    ids, vectors = _vectors(base)
    stems = keys_of(list(counted.counts))
    order = np.argsort(stems)
    arrays: Arrays = {
        "ids": ids,
        "vectors": vectors,
        "stems": stems[order],
        "counts": np.array(list(counted.counts.values()), dtype=np.uint32)[order],
        "total": np.array([counted.total]),
        "idle": _idle(counted.idle),
    }
    wiring.index_files().write(f"{PREFIX}{base.pk}", str(base.version), arrays)


def _vectors(base: KnowledgeBase) -> tuple[NDArray[np.int64], Vectors]:
    rows = base.chunks.exclude(vector=None).order_by("pk").values_list("pk", "vector")
    ids: list[int] = []
    blocks: list[bytes] = []
    for pk, vector in rows.iterator(chunk_size=PAGE):
        ids.append(pk)
        blocks.append(bytes(vector or b""))
    vectors = np.frombuffer(b"".join(blocks), dtype=np.float32)
    return np.array(ids, dtype=np.int64), vectors.reshape(len(ids), -1) if ids else np.zeros((0, 0), np.float32)


def _idle(rows: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    width = max(map(len, rows), default=0)
    return np.array([[*row, *[0.0] * (width - len(row))] for row in rows], dtype=np.float32).reshape(len(rows), width)
