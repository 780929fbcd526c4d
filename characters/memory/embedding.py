"""Vectors of people's messages and facts, stored on the rows where turns read them."""

from collections.abc import Callable, Iterable

import numpy as np
from django.db import transaction
from django.db.models import QuerySet

from characters.conversations.models import Message, Person
from characters.domain import people
from characters.memory.entities import change_known
from characters.memory.models import UserFact
from kgadmin.stores import wiring

MESSAGE_BATCH, FACT_BATCH = 8, 32

Say = Callable[[int, int], None]
"""Called before each batch with (messages embedded, messages to embed). May raise to stop the work."""


def embed_messages(messages: Iterable[Message], say: Say = lambda done, total: None) -> None:
    """Embed the messages that lack a vector of today's embedder, and save it. Raises `StoreError`."""
    embedder = wiring.embedder()
    waiting = [message for message in messages if message.vector is None or message.embedder != embedder.id]
    waiting.sort(key=lambda message: (len(message.text), message.pk))  # similar lengths together: padding costs time
    for start in range(0, len(waiting), MESSAGE_BATCH):
        say(start, len(waiting))
        batch = waiting[start : start + MESSAGE_BATCH]
        vectors = embedder.embed([message.text for message in batch])
        with transaction.atomic():
            for message, vector in zip(batch, vectors, strict=True):
                message.vector, message.embedder = vector.astype(np.float32).tobytes(), embedder.id
                same = Message.objects.filter(pk=message.pk, text=message.text)
                same.update(vector=message.vector, embedder=embedder.id)


def unembedded_messages() -> QuerySet[Message]:
    """Return remembered messages without a vector of today's embedder.

    Rows without a vector have an empty `embedder`. Two index ranges find them; "not equal" would read all rows.
    """
    embedder, remembered = wiring.embedder().id, Message.objects.filter(place__isnull=False).order_by()
    ranges = [remembered.filter(embedder__lt=embedder), remembered.filter(embedder__gt=embedder)]
    return Message.objects.filter(pk__in=ranges[0].values("pk").union(ranges[1].values("pk")))


def embed_remembered(person: Person) -> None:
    """Embed a person's remembered messages that lack a vector. Raises `StoreError`."""
    embed_messages(unembedded_messages().filter(conversation__person=person))


def embed_facts(person: Person) -> None:
    """Embed the sentences of facts that lack a vector of today's embedder. Raises `StoreError`."""
    embedder = wiring.embedder()
    missing = UserFact.objects.filter(person=person, state=UserFact.State.CURRENT).exclude(
        embedder=embedder.id, vector__isnull=False
    )
    rows = list(missing.select_related("subject", "object", "character"))
    for start in range(0, len(rows), FACT_BATCH):
        batch = rows[start : start + FACT_BATCH]
        named = [(row, row.subject.name if row.subject else "") for row in batch]
        sentences = [people.sentence(person.name, row.predicate, row.text, subject=name) for row, name in named]
        vectors = embedder.embed(sentences)
        for row, vector in zip(batch, vectors, strict=True):
            same = UserFact.objects.filter(pk=row.pk, object=row.object, text=row.text)
            same.update(vector=vector.tobytes(), embedder=embedder.id)
    for character in {row.character for row in rows}:
        change_known(person, character)
