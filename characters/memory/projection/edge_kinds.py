"""Rows that are one edge each: how they are read, which of them are edges, and what writes those."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet

from characters.memory.models import UserFact
from characters.memory.projection import rows, statements
from characters.memory.projection.rows import Values
from kgadmin.stores.statement import Statement

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class EdgeKind(Generic[Row]):
    """`rows` gives a person's rows, `create` has the Cypher for edges that go out from each sort of node."""

    kind: str
    name: str
    rows: Callable[[int], QuerySet[Row]]
    is_edge: Callable[[Row], bool]
    values: Callable[[Row], Values]
    create: tuple[tuple[str, str], ...]

    def edges(self, found: QuerySet[Row]) -> list[Values]:
        """Those of the rows that are edges."""
        return [self.values(row) for row in found if self.is_edge(row)]

    def replacing(self, keys: Sequence[int], edges: Sequence[Values]) -> list[Statement]:
        """What makes the edges of the rows with these keys these."""
        ids = [f"{self.kind}:{key}" for key in keys]
        writing: list[Statement] = [(statements.DELETE_EDGES[self.name], {"ids": ids})]
        for prefix, cypher in self.create:
            if starting := [edge for edge in edges if edge["start"].startswith(prefix)]:
                writing.append((cypher, {"rows": starting}))
        return writing


FACTS: EdgeKind[UserFact] = EdgeKind(
    "user_fact",
    "FACT",
    rows.facts_of,
    rows.is_edge_of_fact,
    rows.fact,
    (("person:", statements.CREATE_FACTS_OF_USER), ("entity:", statements.CREATE_FACTS_OF_ENTITIES)),
)
BETWEEN_MESSAGES: tuple[EdgeKind[Any], ...] = (
    EdgeKind(
        "similarity",
        "IS_SIMILAR",
        rows.similarities_of,
        rows.is_edge,
        rows.similarity,
        (("message:", statements.CREATE_SIMILAR),),
    ),
    EdgeKind(
        "relation",
        "RELATES",
        rows.relations_of,
        rows.is_edge_of_relation,
        rows.relation,
        (("message:", statements.CREATE_RELATES),),
    ),
)
EDGE_KINDS: tuple[EdgeKind[Any], ...] = (FACTS, *BETWEEN_MESSAGES)
