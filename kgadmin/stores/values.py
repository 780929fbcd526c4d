"""What the graph is told, and what a vector store holds and finds, by names that need no client of theirs."""

from dataclasses import dataclass
from typing import Any

Statement = tuple[str, dict[str, Any]]
"""(Cypher, parameters)"""


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
