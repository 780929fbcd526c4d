"""Rows that are one edge each: how they are read, which of them are edges, and what writes those."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet

from characters.memory.models import Relation, Similarity, UserFact
from characters.memory.projection import rows, statements
from characters.memory.projection.rows import Values

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class EdgeKind(Generic[Row]):
    """`of` gives a person's rows, `create` is the Cypher that returns the ids of the edges that it made."""

    model: type[Row]
    prefix: str
    name: str
    of: Callable[[int], QuerySet[Row]]
    is_edge: Callable[[Row], bool]
    values: Callable[[Row], Values]
    create: str


def _facts_of_user(person: int) -> QuerySet[UserFact]:
    return rows.facts_of(person).filter(subject=None)


def _facts_of_entities(person: int) -> QuerySet[UserFact]:
    return rows.facts_of(person).exclude(subject=None)


EDGE_KINDS: tuple[EdgeKind[Any], ...] = (
    EdgeKind(
        UserFact,
        "user_fact",
        "FACT",
        _facts_of_user,
        rows.is_edge_of_fact,
        rows.fact,
        statements.CREATE_FACTS_OF_USER,
    ),
    EdgeKind(
        UserFact,
        "user_fact",
        "FACT",
        _facts_of_entities,
        rows.is_edge_of_fact,
        rows.fact,
        statements.CREATE_FACTS_OF_ENTITIES,
    ),
    EdgeKind(
        Similarity,
        "similarity",
        "IS_SIMILAR",
        rows.similarities_of,
        rows.is_edge,
        rows.similarity,
        statements.CREATE_SIMILAR,
    ),
    EdgeKind(
        Relation,
        "relation",
        "RELATES",
        rows.relations_of,
        rows.is_edge_of_relation,
        rows.relation,
        statements.CREATE_RELATES,
    ),
)
