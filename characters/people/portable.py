"""Everything stored about a person as one document, to be handed to them."""

from typing import Any

from django.db.models import Prefetch
from django.utils import timezone

from characters.conversations.models import Conversation, Message, Person
from characters.memory.models import Entity, UserFact
from characters.people.facts import sentence_of

SCHEMA = 1

Document = dict[str, Any]


def document(person: Person) -> Document:
    """Return the person with acquaintances, entities, current and past facts, conversations, and relations."""
    facts = person.facts.select_related("subject", "object", "character").prefetch_related("evidence")
    messages = Prefetch("messages", Message.objects.defer("vector").order_by("pk"))
    conversations = person.conversations.select_related("character").prefetch_related(messages)
    return {
        "schema": SCHEMA,
        "exported_at": timezone.now(),
        "person": {"id": person.graph_id} | _values(person, "name", "namespace", "outside_id", "created_at"),
        "acquaintances": [
            {"character": row.character.slug} | _values(row, "trust", "first_met", "last_met")
            for row in person.acquaintances.select_related("character")
        ],
        "entities": [_entity(row) for row in person.entities.prefetch_related("aliases", "mentions")],
        "facts": [_fact(person, row) for row in facts.order_by("first_seen", "pk")],
        "conversations": [_conversation(row) for row in conversations.order_by("pk")],
        "relations": [
            {
                "character": row.character.slug,
                "earlier": f"message:{row.earlier_id}",
                "later": f"message:{row.later_id}",
                **_values(row, "relation", "confidence", "status", "evidence", "origin"),
            }
            for row in person.relations.select_related("character")
        ],
    }


def _values(row: object, *names: str) -> Document:
    return {name: getattr(row, name) for name in names}


def _entity(row: Entity) -> Document:
    return {
        "id": row.graph_id,
        **_values(row, "name", "kind"),
        "aliases": [alias.text for alias in row.aliases.all()],
        "mentioned_in": sorted(f"message:{mention.message_id}" for mention in row.mentions.all()),
    }


def _fact(person: Person, row: UserFact) -> Document:
    return {
        "id": row.graph_id,
        "character": row.character.slug,
        "sentence": f"{sentence_of(person, row)}.",
        "subject": row.subject.graph_id if row.subject else person.graph_id,
        "predicate": row.predicate,
        "object": row.object.graph_id,
        **_values(row, "text", "state", "confidence", "origin", "mentions", "first_seen", "last_seen", "closed_at"),
        "evidence": [{"message": f"message:{e.message_id}"} | _values(e, "start", "end") for e in row.evidence.all()],
    }


def _conversation(row: Conversation) -> Document:
    return {
        "id": f"conversation:{row.pk}",
        "character": row.character.slug,
        **_values(row, "title", "sandbox", "outside_id", "created_at"),
        "messages": [
            {
                "id": message.graph_id,
                "answers": f"message:{message.parent_id}" if message.parent_id else None,
                **_values(message, "role", "at", "text"),
                "remembered": message.place is not None,
            }
            for message in row.messages.all()
        ],
    }
