"""The messages' vectors: made once, and kept on the row, where turns read them."""

from collections.abc import Sequence

from django.db import transaction

from characters.conversations.models import Message
from characters.memory.projection import rows
from characters.memory.projection.marks import Versions
from kgadmin.projection.services import Renew
from kgadmin.stores import wiring

EMBED_BATCH = 8


def write(person: int, versions: Versions, renew: Renew) -> None:
    """Embed messages; those whose version is another one by now are left to the next time."""
    found = rows.messages_of(person).filter(pk__in=list(versions)).defer(None)
    embed([message for message in found if message.version == versions[message.pk]], renew)


def embed(messages: Sequence[Message], renew: Renew) -> None:
    """Give those that lack one a vector, on the row too; in batches of equal length, since padding costs as well."""
    embedder = wiring.embedder()
    waiting = [message for message in messages if message.vector is None or message.embedder != embedder.id]
    waiting.sort(key=lambda message: len(message.text))
    for start in range(0, len(waiting), EMBED_BATCH):
        batch = waiting[start : start + EMBED_BATCH]
        vectors = embedder.embed([message.text for message in batch])
        with transaction.atomic():
            for message, vector in zip(batch, vectors, strict=True):
                message.vector, message.embedder = vector.astype("float32").tobytes(), embedder.id
                unchanged = Message.objects.filter(pk=message.pk, version=message.version)
                unchanged.update(vector=message.vector, embedder=embedder.id)
        renew()
