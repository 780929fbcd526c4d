"""Comparing the rows of people with what the graph holds."""

from collections import defaultdict
from collections.abc import Iterator

from characters.conversations.models import Person
from characters.memory.models import Entity
from characters.memory.projection import rows, statements
from characters.memory.projection.rows import EDGE_KINDS, Values
from kgadmin.projection.comparison import Comparison, Thing, compare_things
from kgadmin.stores import wiring

Kinds = dict[str, list[Thing]]
"""Things by their label or their type of edge."""

NAMES = {
    "User": "people",
    "Entity": "entities of people",
    "Message": "messages",
    "FACT": "facts about people",
    "SAID": "messages said",
    "ANSWERED": "messages answered",
    "MENTIONS": "mentions",
    "IS_SIMILAR": "similar messages",
    "RELATES": "relations",
}
"""In the order in which they are told."""


def compare_graph() -> Iterator[Comparison]:
    """Person by person, so that no more than one person's things are in memory; then owners that aren't people."""
    owners: set[str] = set()
    for person in Person.objects.order_by("pk").iterator():
        owners.add(person.graph_id)
        yield from _compared(person.graph_id, expected_of(person), stored_of(person.graph_id))
    for stray in sorted(_owners_in_graph() - owners):
        yield from _compared(stray, {}, stored_of(stray))


def expected_of(person: Person) -> Kinds:
    """What the graph should hold of a person."""
    messages = list(rows.messages_of(person.pk))
    kinds: Kinds = defaultdict(list)
    kinds["User"] = [_node(rows.user(person))]
    kinds["Entity"] = [_node(rows.entity(row)) for row in Entity.objects.filter(person=person)]
    kinds["Message"] = [_node(rows.message(row)) for row in messages]
    kinds["SAID"] = list(map(_edge, rows.user_messages(messages)))
    kinds["ANSWERED"] = list(map(_edge, rows.answered(person.pk)))
    kinds["MENTIONS"] = list(map(_edge, rows.mentions(person.pk)))
    for kind in EDGE_KINDS:
        kinds[kind.name] = list(map(_edge, kind.edges(person.pk)))
    return kinds


def stored_of(owner: str) -> Kinds:
    """What the graph holds of an owner."""
    kinds: Kinds = defaultdict(list)
    for label in statements.LABELS:
        for row in wiring.graph().scan(statements.NODES_OF_OWNER[label], owner=owner):
            kinds[label].append(_node(row["properties"]))
        for row in wiring.graph().scan(statements.EDGES_OF_OWNER[label], owner=owner):
            ends = {"start": row["start"], "end": row["end"]}
            kinds[row["type"]].append(_edge(row["properties"] | ends))
    return kinds


def _compared(owner: str, expected: Kinds, stored: Kinds) -> Iterator[Comparison]:
    for kind in dict.fromkeys([*NAMES, *expected, *stored]):
        yield compare_things(owner, NAMES.get(kind, kind), expected.get(kind, []), stored.get(kind, []))


def _owners_in_graph() -> set[str]:
    """All owners of people's nodes; entities of characters are another projector's."""
    owners = {row["owner"] for query in statements.OWNERS.values() for row in wiring.graph().scan(query)}
    return {owner for owner in owners if owner and not owner.startswith("character:")}


def _node(values: Values) -> Thing:
    return str(values.get("id")), values


def _edge(values: Values) -> Thing:
    return str(values.get("id") or f"{values['start']}->{values['end']}"), values
