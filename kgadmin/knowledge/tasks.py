"""The task that writes index files, started by beat."""

from celery import shared_task

from characters.domain.topics import IDLE
from kgadmin.jobs.models import Job
from kgadmin.jobs.tasks import Kick
from kgadmin.knowledge import base_index, services
from kgadmin.knowledge.ingest import measure
from kgadmin.knowledge.models import KnowledgeBase, WordCounts
from kgadmin.stores import wiring


@shared_task(base=Kick)
def write_indexes() -> None:
    """Write the missing index files of bases that no job is reading, and delete those of bases that are gone. Measure
    bases again where the program has other idle messages than when they were read.

    A base whose vectors are of another model is embedded again by its job, which writes the file then.
    """
    base_index.drop_others({base.pk for base in KnowledgeBase.objects.only("pk")})
    reading = Job.objects.open().filter(kind=services.JOB_KIND).values("subject")
    embedder = wiring.embedder()
    for base in KnowledgeBase.objects.exclude(slug__in=reading):
        works = embedder.state != "down" and base.embedder
        if works and base.embedder != embedder.id:
            services.ingest(base, by=None)
        elif works and WordCounts.objects.filter(base=base).exclude(idle_count=len(IDLE)).exists():
            measure(base, embedder)
            base_index.write(base)
        elif base_index.is_missing(base):
            base_index.write(base)
