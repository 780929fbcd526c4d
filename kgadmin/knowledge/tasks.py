"""The task that writes index files, started by beat."""

from celery import shared_task

from kgadmin.jobs.models import Job
from kgadmin.jobs.tasks import Kick
from kgadmin.knowledge import base_index, services
from kgadmin.knowledge.models import KnowledgeBase


@shared_task(base=Kick)
def write_indexes() -> None:
    """Write the missing index files of bases that no job is reading, and delete those of bases that are gone."""
    base_index.drop_others({base.pk for base in KnowledgeBase.objects.only("pk")})
    reading = Job.objects.open().filter(kind=services.JOB_KIND).values("subject")
    for base in KnowledgeBase.objects.exclude(slug__in=reading):
        if base_index.is_missing(base):
            base_index.write(base)
