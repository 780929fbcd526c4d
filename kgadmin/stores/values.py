"""Types of graph statements and vector rows, independent of any client library."""

from dataclasses import dataclass
from typing import Any

Statement = tuple[str, dict[str, Any]]
"""(Cypher, parameters)"""


@dataclass(frozen=True, slots=True)
class VectorRow:
    """A row of a collection. Texts and owners are in the database only, since a store may have no password."""

    id: str
    vector: list[float]


@dataclass(frozen=True, slots=True)
class Match:
    """A row near a query. `similarity` is the cosine, in [-1, 1]."""

    id: str
    similarity: float
