"""Projection of people into the graph; nothing else writes there of people."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from characters.conversations.models import Message, Person
from characters.memory.models import Entity, UserFact
from characters.memory.projection import comparison, statements
from characters.memory.projection.person_pass import PersonPass
from characters.memory.projection.rows import person_id
from kgadmin.projection.comparison import Comparison, joined
from kgadmin.projection.models import Change
from kgadmin.projection.services import Projector, Renew, Store, no_lease
from kgadmin.projection.triggers import Watch
from kgadmin.stores import wiring

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
    """Projects people: "person:12" owns everything of them."""

    def waiting(self) -> list[str]:
        """People with changes to write or delete."""
        return sorted(Change.objects.owners("person:"), key=person_id)

    def project(self, owner: str, renew: Renew = no_lease) -> None:
        """Write and delete what changed of one person."""
        PersonPass(owner, renew).run()

    def compare(self, store: Store) -> Iterator[Comparison]:
        """Compare all people, kind by kind, and what belongs to nobody."""
        if store == "graph":
            yield from joined(comparison.compare_graph())

    def drop(self, store: Store) -> None:
        """Delete all people, what they said and what they spoke of."""
        for statement in statements.DROP_SOME.values() if store == "graph" else ():
            while wiring.graph().write(statement)[0]["deleted"]:
                continue

    def note_all(self, store: Store) -> None:
        """Let everything be written again; the edges between messages come with these."""
        if store != "graph":
            return
        for person in Person.objects.order_by("pk").iterator():
            rows: dict[str, QuerySet[Any]] = {
                "person": Person.objects.filter(pk=person.pk),
                "entity": Entity.objects.filter(person=person),
                "message": Message.objects.filter(conversation__person=person, place__isnull=False),
                "user_fact": UserFact.objects.filter(person=person).current(),
            }
            for kind, of_kind in rows.items():
                Change.objects.note(person.graph_id, kind, of_kind.order_by("pk").values_list("pk", flat=True))
