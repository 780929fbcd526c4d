"""The sweep's task: kicked after commits, and by beat every 2 s."""

from celery import shared_task

from kgadmin.jobs.tasks import Kick
from kgadmin.projection import services


@shared_task(base=Kick)
def sweep() -> None:
    """Project all waiting owners."""
    services.sweep()
