"""Tasks started by beat."""

from celery import shared_task

from characters.conversations.models import Acquaintance, Person
from characters.memory import message_index
from characters.memory.embedding import unembedded_messages
from kgadmin.jobs import services as jobs
from kgadmin.jobs.tasks import Kick
from kgadmin.stores import wiring


@shared_task(base=Kick)
def write_indexes() -> None:
    """Write the index files that are missing, and delete those that have what was forgotten."""
    message_index.drop_forgotten()
    for acquaintance in Acquaintance.objects.filter(places__gte=message_index.LEAST):
        if not message_index.place_of_file(
            acquaintance.person_id, acquaintance.character_id, acquaintance.messages_epoch
        ):
            message_index.renew(acquaintance)


@shared_task(base=Kick)
def embed_what_lacks_vectors() -> None:
    """Start the embedding job of people with messages that lack a vector of today's embedder."""
    if wiring.embedder().state == "down":
        return
    people = unembedded_messages().order_by().values("conversation__person")
    for person in Person.objects.filter(pk__in=people):
        jobs.start(kind="remember", subject=person.graph_id, by=None)
