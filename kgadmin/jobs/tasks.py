"""What the broker and beat kick."""

import os
import socket

from celery import shared_task
from django.utils import timezone

from kgadmin.jobs import runner
from kgadmin.jobs.kicking import Kick
from kgadmin.jobs.models import Job, WorkerHeartbeat


@shared_task(base=Kick)
def run(job_id: int) -> None:
    """Run one job."""
    runner.run(job_id)


@shared_task(base=Kick)
def sweep() -> None:
    """Kick the jobs whose message was lost or whose worker died; beat sends this every 2 s."""
    for job_id in Job.objects.revive():
        run.delay(job_id)


@shared_task(base=Kick)
def heartbeat() -> None:
    """Leave a trace that beat sends, the broker carries and a worker works."""
    WorkerHeartbeat.objects.update_or_create(
        hostname=socket.gethostname(), defaults={"pid": os.getpid(), "at": timezone.now()}
    )
