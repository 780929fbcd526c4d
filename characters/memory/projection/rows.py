"""Each row of a person as graph values: the projector writes them, and the comparison expects them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet

from characters.conversations.models import Message, Person
from characters.domain.relations import CLASSES
from characters.memory.models import Entity, Mention, Relation, Similarity, UserFact
from characters.memory.projection import statements
from kgadmin.stores.values import Statement

Values = dict[str, Any]
Row = TypeVar("Row", bound=Model)


def person_id(owner: str) -> int:
    """Return the row's id in an owner such as "person:12"."""
    return int(owner.partition(":")[2])


def user(person: Person) -> Values:
    return {"id": person.graph_id, "owner": person.graph_id, "name": person.name}


def entity(row: Entity) -> Values:
    return {"id": row.graph_id, "owner": f"person:{row.person_id}", "key": row.key, "name": row.name, "kind": row.kind}


def messages_of(person: int) -> QuerySet[Message]:
    """Return the remembered messages of a person, both sides, of all characters; without vectors."""
    rows = Message.objects.filter(conversation__person_id=person, place__isnull=False)
    return rows.select_related("conversation").defer("vector")


def message(row: Message) -> Values:
    return {
        "id": row.graph_id,
        "owner": f"person:{row.conversation.person_id}",
        "character": f"character:{row.conversation.character_id}",
        "role": row.role,
        "text": row.text,
        "at": row.at.isoformat(),
        "conversation": f"conversation:{row.conversation_id}",
    }


def user_messages(rows: Iterable[Message]) -> list[Values]:
    """Return the edges from the person to their messages."""
    return [
        {
            "start": f"person:{row.conversation.person_id}",
            "end": row.graph_id,
            "character": f"character:{row.conversation.character_id}",
        }
        for row in rows
        if row.role == Message.Role.USER
    ]


def answered(person: int, touching: Sequence[int] | None = None) -> list[Values]:
    """Return the edges from a reply to its message; of all messages, or of those that touch one of `touching`."""
    replies = Message.objects.filter(
        conversation__person_id=person,
        role=Message.Role.ASSISTANT,
        place__isnull=False,
        parent__role=Message.Role.USER,
        parent__place__isnull=False,
        parent__conversation__person_id=person,
    )
    if touching is not None:
        replies = replies.filter(Q(pk__in=touching) | Q(parent_id__in=touching))
    pairs = replies.order_by("pk").values_list("pk", "parent_id")
    return [{"start": f"message:{reply}", "end": f"message:{asked}"} for reply, asked in pairs]


def mentions(person: int, of: Sequence[int] | None = None) -> list[Values]:
    """Return the edges from a message to the entities that it names; of all messages, or of those in `of`."""
    rows = Mention.objects.filter(
        message__conversation__person_id=person, message__place__isnull=False, entity__person_id=person
    )
    if of is not None:
        rows = rows.filter(message_id__in=of)
    pairs = rows.order_by("pk").values_list("message_id", "entity_id")
    return [{"start": f"message:{of_message}", "end": f"entity:{named}"} for of_message, named in pairs]


def fact(row: UserFact) -> Values:
    return {
        "id": row.graph_id,
        "start": f"entity:{row.subject_id}" if row.subject_id else f"person:{row.person_id}",
        "end": f"entity:{row.object_id}",
        "character": f"character:{row.character_id}",
        "predicate": row.predicate,
        "object": row.text,
        "confidence": row.confidence,
        "mentions": row.mentions,
        "first_seen": row.first_seen.isoformat(),
        "last_seen": row.last_seen.isoformat(),
    }


def similarity(row: Similarity) -> Values:
    return {
        "id": row.graph_id,
        "start": f"message:{row.earlier_id}",
        "end": f"message:{row.later_id}",
        "score": row.score,
    }


def relation(row: Relation) -> Values:
    """Return a relation's edge, from the earlier to the later message if the class is `forward`, else reversed."""
    ends = [f"message:{row.earlier_id}", f"message:{row.later_id}"]
    start, end = ends if CLASSES[row.relation].forward else reversed(ends)  # type: ignore[index]
    return {
        "id": row.graph_id,
        "start": start,
        "end": end,
        "relation": row.relation,
        "confidence": row.confidence,
        "status": row.status,
    }


@dataclass(frozen=True, slots=True)
class EdgeKind(Generic[Row]):
    """Rows that are edges. `create` has the Cypher by the prefix of the start node's id."""

    kind: str
    name: str
    rows: Callable[[], QuerySet[Row]]
    values: Callable[[Row], Values]
    create: tuple[tuple[str, str], ...]

    def edges(self, person: int, *conditions: Q) -> list[Values]:
        """Return a person's edges that match."""
        return list(map(self.values, self.rows().filter(*conditions, person_id=person)))

    def replacing(self, keys: Sequence[int], edges: Sequence[Values]) -> list[Statement]:
        """Return the statements that replace `edges`, and delete the other edges of the rows with these keys."""
        ids = sorted({*(f"{self.kind}:{key}" for key in keys), *(edge["id"] for edge in edges)})
        writing: list[Statement] = [(statements.DELETE_EDGES[self.name], {"ids": ids})] if ids else []
        for prefix, cypher in self.create:
            if starting := [edge for edge in edges if edge["start"].startswith(prefix)]:
                writing.append((cypher, {"rows": starting}))
        return writing


REMEMBERED = Q(earlier__place__isnull=False, later__place__isnull=False)
BETWEEN_MESSAGES: tuple[EdgeKind[Any], ...] = (
    EdgeKind(
        "similarity",
        "IS_SIMILAR",
        lambda: Similarity.objects.filter(REMEMBERED),
        similarity,
        (("message:", statements.CREATE_SIMILAR),),
    ),
    EdgeKind(
        "relation",
        "RELATES",
        lambda: Relation.objects.drawn().filter(REMEMBERED),
        relation,
        (("message:", statements.CREATE_RELATES),),
    ),
)
EDGE_KINDS: tuple[EdgeKind[Any], ...] = (
    EdgeKind(
        "user_fact",
        "FACT",
        lambda: UserFact.objects.current().defer("vector"),
        fact,
        (("person:", statements.CREATE_FACTS_OF_USER), ("entity:", statements.CREATE_FACTS_OF_ENTITIES)),
    ),
    *BETWEEN_MESSAGES,
)
