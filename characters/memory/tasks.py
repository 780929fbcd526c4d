"""Tasks that beat starts."""

from celery import shared_task

from characters.conversations.models import Person
from characters.memory.embedding import unembedded_messages
from kgadmin.jobs import services as jobs
from kgadmin.jobs.tasks import Kick
from kgadmin.stores import wiring


@shared_task(base=Kick)
def embed_what_lacks_vectors() -> None:
    """Start the job of people whose messages have none of today's embedder: it was away, or is another one since."""
    if wiring.embedder().state == "down":
        return
    people = unembedded_messages().order_by().values("conversation__person")
    for person in Person.objects.filter(pk__in=people):
        jobs.start(kind="remember", subject=person.graph_id, by=None)
