"""Everything that is kept of a person as one document, to be handed to them."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from characters.conversations.models import Conversation, Message, Person
from characters.memory.models import Entity, MessageClass, UserFact
from characters.people.facts import sentence_of

SCHEMA = 1

Document = dict[str, Any]


def document(person: Person) -> Document:
    """The person with acquaintances, entities, facts and their history, conversations, and how messages relate."""
    return {
        "schema": SCHEMA,
        "exported_at": timezone.now(),
        "person": {
            "id": person.graph_id,
            "name": person.name,
            "namespace": person.namespace,
            "outside_id": person.outside_id,
            "created_at": person.created_at,
        },
        "acquaintances": list(_acquaintances(person)),
        "entities": [_entity(row) for row in person.entities.prefetch_related("aliases", "mentions")],
        "facts": [_fact(person, row) for row in _facts(person)],
        "conversations": [_conversation(row) for row in _conversations(person)],
        "relations": list(_relations(person)),
        "message_classes": list(_classes(person)),
    }


def _acquaintances(person: Person) -> Iterable[Document]:
    for row in person.acquaintances.select_related("character"):
        yield {
            "character": row.character.slug,
            "trust": row.trust,
            "first_met": row.first_met,
            "last_met": row.last_met,
        }


def _entity(row: Entity) -> Document:
    return {
        "id": row.graph_id,
        "name": row.name,
        "kind": row.kind,
        "aliases": [alias.text for alias in row.aliases.all()],
        "mentioned_in": sorted(f"message:{mention.message_id}" for mention in row.mentions.all()),
    }


def _facts(person: Person) -> QuerySet[UserFact]:
    rows = person.facts.select_related("subject", "object", "character").prefetch_related("evidence")
    return rows.order_by("first_seen", "pk")


def _fact(person: Person, row: UserFact) -> Document:
    return {
        "id": row.graph_id,
        "character": row.character.slug,
        "sentence": f"{sentence_of(person, row)}.",
        "subject": row.subject.graph_id if row.subject else person.graph_id,
        "predicate": row.predicate,
        "object": row.object.graph_id,
        "text": row.text,
        "state": row.state,
        "confidence": row.confidence,
        "origin": row.origin,
        "mentions": row.mentions,
        "first_seen": row.first_seen,
        "last_seen": row.last_seen,
        "closed_at": row.closed_at,
        "evidence": [
            {"message": f"message:{each.message_id}", "start": each.start, "end": each.end}
            for each in row.evidence.all()
        ],
    }


def _conversations(person: Person) -> QuerySet[Conversation]:
    messages = Prefetch("messages", Message.objects.defer("vector").order_by("pk"))
    return person.conversations.select_related("character").prefetch_related(messages).order_by("pk")


def _conversation(row: Conversation) -> Document:
    return {
        "id": f"conversation:{row.pk}",
        "character": row.character.slug,
        "title": row.title,
        "sandbox": row.sandbox,
        "outside_id": row.outside_id,
        "created_at": row.created_at,
        "messages": [
            {
                "id": message.graph_id,
                "answers": f"message:{message.parent_id}" if message.parent_id else None,
                "role": message.role,
                "at": message.at,
                "text": message.text,
                "remembered": message.place is not None,
            }
            for message in row.messages.all()
        ],
    }


def _relations(person: Person) -> Iterable[Document]:
    for row in person.relations.select_related("character"):
        yield {
            "character": row.character.slug,
            "earlier": f"message:{row.earlier_id}",
            "later": f"message:{row.later_id}",
            "relation": row.relation,
            "confidence": row.confidence,
            "status": row.status,
            "evidence": row.evidence,
            "origin": row.origin,
        }


def _classes(person: Person) -> Iterable[Document]:
    for row in MessageClass.objects.filter(message__conversation__person=person).order_by("message"):
        yield {
            "message": f"message:{row.message_id}",
            "relation": row.relation,
            "confidence": row.confidence,
            "evidence": row.evidence,
            "origin": row.origin,
        }
