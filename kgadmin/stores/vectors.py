"""What a vector store holds and finds, by names that can be imported without its client."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VectorRow:
    """One vector. What it is made of, and whose, stands in the database alone: a store may have no password."""

    id: str
    vector: list[float]


@dataclass(frozen=True, slots=True)
class Match:
    """A row near a query. `similarity` is the cosine, in [-1, 1]."""

    id: str
    similarity: float
