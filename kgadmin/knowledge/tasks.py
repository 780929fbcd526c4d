"""Tasks that beat starts: writing index files, measuring bases again."""

from celery import shared_task
from django.db.models import F, QuerySet

from characters.domain.topics import IDLE
from kgadmin.jobs.models import Job
from kgadmin.jobs.tasks import Kick
from kgadmin.knowledge import base_index, services
from kgadmin.knowledge.ingest import measure, own_talk
from kgadmin.knowledge.models import KnowledgeBase, WordCounts
from kgadmin.stores import wiring

LEAST_TALK = 30
"""Messages of everyday talk from which they say something."""


@shared_task(base=Kick)
def measure_by_own_talk() -> None:
    """Measure bases again where people have said twice as much of their lives as when the base was last measured."""
    embedder, count = wiring.embedder(), len(own_talk())
    if count < LEAST_TALK or embedder.state == "down":
        return
    old = WordCounts.objects.annotate(twice=2 * F("own_count")).filter(twice__lte=count, base__embedder=embedder.id)
    for base in KnowledgeBase.objects.filter(word_counts__in=old).exclude(slug__in=_being_read()):
        measure(base, embedder)
        base_index.write(base)


@shared_task(base=Kick)
def write_indexes() -> None:
    """Write the missing index files of bases that no job is reading, and delete those of bases that are gone. Measure
    bases again where the program has other idle messages than when they were read.

    A base whose vectors are of another model is embedded again by its job, which writes the file then.
    """
    base_index.drop_others({base.pk for base in KnowledgeBase.objects.only("pk")})
    embedder = wiring.embedder()
    for base in KnowledgeBase.objects.exclude(slug__in=_being_read()):
        works = embedder.state != "down" and base.embedder
        if works and base.embedder != embedder.id:
            services.ingest(base, by=None)
        elif works and WordCounts.objects.filter(base=base).exclude(idle_count=len(IDLE)).exists():
            measure(base, embedder)
            base_index.write(base)
        elif base_index.is_missing(base):
            base_index.write(base)


def _being_read() -> "QuerySet[Job, str]":
    """Return the slugs of the bases that a job reads."""
    return Job.objects.open().filter(kind=services.JOB_KIND).values_list("subject", flat=True)
