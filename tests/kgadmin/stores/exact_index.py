"""Vectors in this process, compared exactly, in place of a vector store; `test_vectors` holds both to one contract."""

import threading
from collections.abc import Iterator, Sequence

import numpy as np

from kgadmin.stores.embedder import Vectors
from kgadmin.stores.values import Match, VectorRow


class ExactIndex:
    """Keeps nothing on disk. Vectors are of unit length, as embedders give them."""

    def __init__(self) -> None:
        self._collections: dict[str, dict[str, VectorRow]] = {}
        self._lock = threading.Lock()

    def upsert(self, collection: str, rows: Sequence[VectorRow]) -> None:
        with self._lock:
            there = self._collections.setdefault(collection, {})
            there |= {row.id: row for row in rows}

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        with self._lock:
            there = self._collections.get(collection, {})
            for id_ in ids:
                there.pop(id_, None)

    def query(self, collection: str, vectors: Vectors, limit: int) -> list[list[Match]]:
        with self._lock:
            there = dict(self._collections.get(collection, {}))
        if not there:
            return [[] for _ in vectors]
        ids = list(there)
        held = np.array([row.vector for row in there.values()], dtype=np.float32)
        similarities = np.asarray(vectors, dtype=np.float32) @ held.T
        best = np.argsort(-similarities, axis=1, kind="stable")[:, :limit]
        return [
            [Match(ids[column], float(row[column])) for column in columns]
            for row, columns in zip(similarities, best, strict=True)
        ]

    def rows(self, collection: str) -> Iterator[VectorRow]:
        with self._lock:
            there = list(self._collections.get(collection, {}).values())
        yield from there

    def collections(self) -> list[str]:
        with self._lock:
            return sorted(self._collections)

    def drop(self, collection: str) -> None:
        with self._lock:
            self._collections.pop(collection, None)
