"""The sweep: kicked after a commit, and by beat every 2 s."""

from celery import shared_task
from celery.contrib.django.task import DjangoTask

from kgadmin.projection import services


@shared_task(base=DjangoTask)
def sweep() -> None:
    """Project what is stale."""
    services.sweep()
