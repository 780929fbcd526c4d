"""Vectors by collection: an index that finds the nearest."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from kgadmin.stores.embedder import Vectors


@dataclass(frozen=True, slots=True)
class VectorRow:
    """One vector, and whose it is. What it is made of stands in the database alone: a store may have no password."""

    id: str
    vector: list[float]
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """A row near a query. `similarity` is the cosine, in [-1, 1]."""

    id: str
    similarity: float


class VectorIndex(Protocol):
    """Vectors by collection. Every method raises `StoreError`."""

    @abstractmethod
    def upsert(self, collection: str, rows: Sequence[VectorRow]) -> None:
        """Write rows by id; the collection is made if it isn't there."""

    @abstractmethod
    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Delete rows by id; unknown ids are no error."""

    @abstractmethod
    def query(self, collection: str, vectors: Vectors, limit: int) -> list[list[Match]]:
        """Per row of `vectors` its nearest `limit` rows, best first. A collection that isn't there has no rows."""

    @abstractmethod
    def ids(self, collection: str, owner: str = "") -> set[str]:
        """The ids of all rows, or of those of an owner."""

    @abstractmethod
    def rows(self, collection: str) -> Iterator[VectorRow]:
        """All rows as they were written: for comparing and exporting."""

    @abstractmethod
    def collections(self) -> list[str]:
        """The names of all collections."""

    @abstractmethod
    def drop(self, collection: str) -> None:
        """Delete the collection; one that isn't there is no error."""
