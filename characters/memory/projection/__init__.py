"""Project people into the graph; nothing else writes people there."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from characters.conversations.models import Message, Person
from characters.memory.models import Entity, UserFact
from characters.memory.projection import rows, statements
from characters.memory.projection.person_pass import PersonPass
from characters.memory.projection.rows import EDGE_KINDS, Values, person_id
from kgadmin.projection.comparison import Comparison, Thing, compare_things, joined
from kgadmin.projection.models import Change
from kgadmin.projection.services import Projector, Renew, Store, no_lease
from kgadmin.projection.triggers import Watch
from kgadmin.stores import wiring

Kinds = dict[str, list[Thing]]
"""Nodes and edges, by label or type."""

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
"""Names of labels and types, in display order."""
PERSON = "'person:' || {0}.person_id"
WATCHES = (
    Watch("conversations.Person", "person", "'person:' || {0}.id", ("name",)),
    Watch("memory.Entity", "entity", PERSON, ("key", "name", "kind")),
    Watch(
        "conversations.Message",
        "message",
        "'person:' || c.person_id",
        ("place", "parent_id", "role", "text", "at"),
        source="conversations_conversation AS c WHERE c.id = {0}.conversation_id",
        when="{0}.place IS NOT NULL",
    ),
    Watch(
        "memory.Mention",
        "message",
        "'person:' || e.person_id",
        row="{0}.message_id",
        source="memory_entity AS e WHERE e.id = {0}.entity_id",
    ),
    Watch(
        "memory.UserFact",
        "user_fact",
        PERSON,
        (
            *("state", "subject_id", "object_id", "predicate", "text"),
            *("confidence", "mentions", "first_seen", "last_seen"),
        ),
    ),
    Watch("memory.Similarity", "similarity", PERSON, ("score",)),
    Watch("memory.Relation", "relation", PERSON, ("relation", "confidence", "status")),
)


class PersonProjector(Projector):
    """Projects people: the owner "person:12" has everything of person 12."""

    def waiting(self) -> list[str]:
        """Return the people with changes to write or delete."""
        return sorted(Change.objects.owners("person:"), key=person_id)

    def project(self, owner: str, renew: Renew = no_lease) -> None:
        """Write and delete what changed of one person."""
        PersonPass(owner, renew).run()

    def compare(self, store: Store) -> Iterator[Comparison]:
        """Compare all people, kind by kind, and what belongs to no existing person."""
        if store == "graph":
            yield from joined(compare_graph())

    def drop(self, store: Store) -> None:
        """Delete all people with their messages and entities."""
        for statement in statements.DROP_SOME.values() if store == "graph" else ():
            while wiring.graph().write(statement)[0]["deleted"]:
                continue

    def note_all(self, store: Store) -> None:
        """Note everything as changed; edges between messages are written with the messages."""
        if store != "graph":
            return
        for person in Person.objects.order_by("pk").iterator():
            stored: dict[str, QuerySet[Any]] = {
                "person": Person.objects.filter(pk=person.pk),
                "entity": Entity.objects.filter(person=person),
                "message": Message.objects.filter(conversation__person=person, place__isnull=False),
                "user_fact": UserFact.objects.filter(person=person).current(),
            }
            for kind, of_kind in stored.items():
                Change.objects.note(person.graph_id, kind, of_kind.order_by("pk").values_list("pk", flat=True))


def compare_graph() -> Iterator[Comparison]:
    """Compare person by person, so that only one person's rows are in memory; then owners that aren't people."""
    owners: set[str] = set()
    for person in Person.objects.order_by("pk").iterator():
        owners.add(person.graph_id)
        yield from _compared(person.graph_id, expected_of(person), stored_of(person.graph_id))
    for stray in sorted(_owners_in_graph() - owners):
        yield from _compared(stray, {}, stored_of(stray))


def expected_of(person: Person) -> Kinds:
    """Return the nodes and edges that the graph should have of a person."""
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
    """Return the nodes and edges that the graph has of an owner."""
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
    """Return all owners of people's nodes; entities of characters belong to another projector."""
    owners = {row["owner"] for query in statements.OWNERS.values() for row in wiring.graph().scan(query)}
    return {owner for owner in owners if owner and not owner.startswith("character:")}


def _node(values: Values) -> Thing:
    return str(values.get("id")), values


def _edge(values: Values) -> Thing:
    return str(values.get("id") or f"{values['start']}->{values['end']}"), values
