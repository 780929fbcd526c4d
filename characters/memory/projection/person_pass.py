"""One pass over one person: read changed rows as they are now, and write them.

Nodes come before edges. An edge is written only if both ends exist; a missing end is written later with all its
edges.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from django.db.models import Max, Q

from characters.conversations.models import Person
from characters.memory.models import Entity
from characters.memory.projection import rows, statements
from characters.memory.projection.rows import BETWEEN_MESSAGES, EDGE_KINDS, EdgeKind
from kgadmin.projection.models import Change
from kgadmin.projection.services import Renew, ensure_schema
from kgadmin.stores import wiring
from kgadmin.stores.values import Statement

BATCH = 250


class PersonPass:
    """Writes one person's changes; `renew` keeps the lease between the steps."""

    def __init__(self, owner: str, renew: Renew) -> None:
        self.owner = owner
        self.person = rows.person_id(owner)
        self.renew = renew

    def run(self) -> None:
        """Write all changes. Raises `StoreError`; unwritten changes stay noted."""
        ensure_schema()
        if not Person.objects.filter(pk=self.person).exists():
            self._delete_all()
            return
        self._write_nodes()
        self._write_changes("message", self._write_messages)
        for kind in EDGE_KINDS:
            self._write_changes(kind.kind, lambda keys, kind=kind: self._write_edges(kind, keys))  # type: ignore[misc]

    def _write_changes(self, kind: str, write: Callable[[Sequence[int]], None]) -> None:
        while (batch := Change.objects.of(self.owner, kind, BATCH)).ids:
            write(batch.rows)
            batch.done()
            self.renew()

    def _delete_all(self) -> None:
        """Delete everything of a forgotten person. Changes noted meanwhile are handled in the next pass."""
        changes = Change.objects.filter(owner=self.owner)
        last = changes.aggregate(Max("pk"))["pk__max"]
        for statement in statements.DELETE_SOME_OF_OWNER.values():
            while wiring.graph().write(statement, owner=self.owner)[0]["deleted"]:
                self.renew()
        changes.filter(pk__lte=last or 0).delete()

    def _write_nodes(self) -> None:
        self._write_changes("person", self._write_person)
        self._write_changes("entity", self._write_entities)

    def _write_person(self, keys: Sequence[int]) -> None:
        there = list(Person.objects.filter(pk__in=keys))
        for person in there:
            wiring.graph().write(statements.WRITE_USER, **rows.user(person))
        if gone := _gone("person", keys, {person.pk for person in there}):  # forgotten while this pass goes on
            wiring.graph().write(statements.DELETE_NODES["User"], ids=gone)

    def _write_entities(self, keys: Sequence[int]) -> None:
        there = list(Entity.objects.filter(person_id=self.person, pk__in=keys))
        gone = _gone("entity", keys, {entity.pk for entity in there})
        writing: list[Statement] = [(statements.DELETE_NODES["Entity"], {"ids": gone})] if gone else []
        wiring.graph().write_all([*writing, (statements.WRITE_ENTITIES, {"rows": list(map(rows.entity, there))})])

    def _write_messages(self, keys: Sequence[int]) -> None:
        messages = list(rows.messages_of(self.person).filter(pk__in=keys))
        answered = rows.answered(self.person, [message.pk for message in messages])
        mentions: Statement = (statements.CREATE_MENTIONS, {"rows": rows.mentions(self.person, keys)})
        touching = Q(earlier__in=keys) | Q(later__in=keys)  # edges of deleted messages go with the nodes
        edges = [
            statement
            for kind in BETWEEN_MESSAGES
            for statement in kind.replacing((), kind.edges(self.person, touching))
        ]
        gone = _gone("message", keys, {message.pk for message in messages})
        self._write_nodes()  # a mention read just now may name a new entity
        wiring.graph().write_all(
            [
                *([(statements.DELETE_NODES["Message"], {"ids": gone})] if gone else []),
                (statements.WRITE_MESSAGES, {"rows": list(map(rows.message, messages))}),
                (statements.WRITE_USER_MESSAGES, {"rows": rows.user_messages(messages)}),
                (statements.DELETE_ANSWERED, {"ids": [message.graph_id for message in messages]}),
                (statements.CREATE_ANSWERED, {"rows": answered}),
                (statements.DELETE_MENTIONS, {"ids": [f"message:{key}" for key in keys]}),
                mentions,
                *edges,
            ]
        )

    def _write_edges(self, kind: EdgeKind[Any], keys: Sequence[int]) -> None:
        edges = kind.edges(self.person, Q(pk__in=keys))
        self._write_nodes()  # an end may be newer than the last writing of nodes
        wiring.graph().write_all(kind.replacing(keys, edges))


def _gone(kind: str, keys: Sequence[int], there: Collection[int]) -> list[str]:
    """Return the graph ids of rows that were deleted, or that the graph must not have."""
    return [f"{kind}:{key}" for key in keys if key not in there]
