"""The sweep: kicked after a commit, and by beat every 2 s."""

from celery import shared_task

from kgadmin.jobs.tasks import Kick
from kgadmin.projection import services


@shared_task(base=Kick)
def sweep() -> None:
    """Project what changed."""
    services.sweep()
