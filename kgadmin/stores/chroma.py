"""Vectors in a Chroma server."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, TypeVar

import httpx
import numpy as np
from chromadb.errors import ChromaError

from kgadmin.stores.chroma_client import Connection
from kgadmin.stores.embedder import Vectors
from kgadmin.stores.errors import Breaker, StoreError
from kgadmin.stores.vectors import Match, VectorRow

if TYPE_CHECKING:
    from chromadb import Collection, GetResult, QueryResult

WRITE_TIMEOUT_SECONDS = 10.0
ROWS_PER_CALL = 500

Item = TypeVar("Item")


class ChromaIndex:
    """Vectors by collection, of unit length; every method raises `StoreError`.

    Reads end within `read_timeout` seconds and skip a server that just failed; writes wait longer and always try.
    """

    def __init__(self, url: str, read_timeout: float, *, token: str = "") -> None:
        self._url = url
        self._reads = Connection(url, read_timeout, token)
        self._writes = Connection(url, WRITE_TIMEOUT_SECONDS, token)
        self.breaker = Breaker("The vector store")

    def upsert(self, collection: str, rows: Sequence[VectorRow]) -> None:
        """Write rows by id; the collection is made if it isn't there."""
        with self._errors():
            for batch in _batches(rows):
                self._writes.call(collection, partial(_upsert, batch), make=True)

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Delete rows by id; unknown ids are no error."""
        with self._errors():
            for batch in _batches(ids):
                self._writes.call(collection, partial(_delete, batch))

    def query(self, collection: str, vectors: Vectors, limit: int) -> list[list[Match]]:
        """Per row of `vectors` its nearest `limit` rows, best first. A collection that isn't there has no rows."""
        if not len(vectors):
            return []
        with self.breaker.guard(), self._errors():
            answer = self._reads.call(
                collection, lambda c: c.query(query_embeddings=vectors, n_results=limit, include=["distances"])
            )
            return _matches(answer) if answer else [[] for _ in vectors]

    def rows(self, collection: str) -> Iterator[VectorRow]:
        """All rows as they were written: for comparing and exporting."""
        for start in count(0, ROWS_PER_CALL):
            with self._errors():
                page = self._writes.call(collection, partial(_page, start))
            if not page:
                return
            for id_, vector in zip(page["ids"], page["embeddings"], strict=True):
                yield VectorRow(id_, np.asarray(vector, dtype=np.float32).tolist())
            if len(page["ids"]) < ROWS_PER_CALL:
                return

    def collections(self) -> list[str]:
        """The names of all collections."""
        with self._errors():
            return sorted(each.name for each in self._writes.client().list_collections())

    def drop(self, collection: str) -> None:
        """Delete the collection; one that isn't there is no error."""
        with self._errors():
            self._writes.drop(collection)

    def ping(self) -> str:
        """The server's version, asked past the breaker."""
        with self._errors():
            version = str(self._reads.client().get_version())
        self.breaker.reset()
        return version

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except httpx.TimeoutException as error:
            raise StoreError(f"The vector store at {self._url} did not answer in time.") from error
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            sentence = f"The vector store at {self._url} refused the call ({status})."
            raise StoreError(sentence, retryable=status >= 500) from error
        except httpx.HTTPError as error:
            raise StoreError(f"The vector store does not answer at {self._url}.") from error
        except (ChromaError, ValueError) as error:
            raise StoreError(
                f"The vector store at {self._url} did not take the call: {error}", retryable=False
            ) from error


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[start : start + ROWS_PER_CALL] for start in range(0, len(items), ROWS_PER_CALL))


def _upsert(rows: Sequence[VectorRow], collection: "Collection") -> None:
    collection.upsert(
        ids=[row.id for row in rows],
        embeddings=np.asarray([row.vector for row in rows], dtype=np.float32),
    )


def _delete(ids: Sequence[str], collection: "Collection") -> None:
    collection.delete(ids=list(ids))


def _page(start: int, collection: "Collection") -> "GetResult":
    return collection.get(limit=ROWS_PER_CALL, offset=start, include=["embeddings"])


def _matches(answer: "QueryResult") -> list[list[Match]]:
    rows = zip(answer["ids"], answer["distances"] or [], strict=True)
    return [
        [Match(id_, 1.0 - distance) for id_, distance in zip(ids, distances, strict=True)] for ids, distances in rows
    ]
