"""What is remembered of people, in the graph. Nothing else writes there of people.

One pass over a person: deletions, then nodes, then edges, then the vectors of messages, on their rows; only what is
stale. A mark is cleared when its row is written everywhere, and where the row's version is still the one that was read.
So a pass that is killed, or ends with an engine's failure, is done again from where the marks say.

Whoever adds or removes a `Mention` marks its message stale: the message's edges and the counts of what is named
together are written with it.
"""

from collections.abc import Iterator
from typing import Any

from django.db.models import F, Model, QuerySet

from characters.conversations.models import Message, Person
from characters.memory.models import Entity, Relation, Similarity, UserFact
from characters.memory.projection import comparing, statements
from characters.memory.projection.person_pass import PersonPass
from characters.memory.projection.rows import person_id
from kgadmin.projection.comparing import Comparison, joined
from kgadmin.projection.models import Tombstone
from kgadmin.projection.services import Projector, Renew, Store, no_lease
from kgadmin.stores import wiring

FORMER_COLLECTION = "messages"
"""Older versions copied the messages' vectors there, and nothing ever asked for them."""
MARKED: tuple[type[Model], ...] = (Entity, UserFact, Similarity, Relation)
"""Models with a stale mark and a `person`."""


class PersonProjector(Projector):
    """Projects people: "person:12" owns everything of them."""

    def stale(self) -> list[str]:
        """People of whom something is to be written or deleted."""
        waiting: list[tuple[QuerySet[Any], str]] = [
            (Person.objects.filter(stale=True), "pk"),
            (Message.objects.filter(stale=True, place__isnull=False), "conversation__person_id"),
            *((model._default_manager.filter(stale=True), "person_id") for model in MARKED),
        ]
        people = {pk for rows, person in waiting for pk in rows.order_by().values_list(person, flat=True).distinct()}
        buried = Tombstone.objects.filter(owner__startswith="person:").values_list("owner", flat=True)
        return sorted({f"person:{pk}" for pk in people} | set(buried), key=person_id)

    def project(self, owner: str, renew: Renew = no_lease) -> None:
        """Write and delete what is stale of one person."""
        PersonPass(owner, renew).run()

    def compare(self, store: Store) -> Iterator[Comparison]:
        """Everything of everybody, kind by kind; and what belongs to nobody."""
        if store == "graph":
            yield from joined(comparing.compare_graph())

    def drop(self, store: Store) -> None:
        """Delete all people, what they said and what they spoke of."""
        if store == "vectors":
            wiring.vectors().drop(FORMER_COLLECTION)
            return
        for statement in statements.DROP_SOME.values():
            while wiring.graph().write(statement)[0]["deleted"]:
                continue

    def mark_all(self, store: Store) -> None:
        """Let everything be written again."""
        if store == "graph":
            Message.objects.filter(place__isnull=False).update(stale=True, version=F("version") + 1)
            UserFact.objects.current().update(stale=True, version=F("version") + 1)
            for model in (Person, Entity, Similarity, Relation):
                model._default_manager.update(stale=True, version=F("version") + 1)
