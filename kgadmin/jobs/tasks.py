"""Tasks of jobs. A message may be lost: rows say what is to be done, and beat's sweep finds them."""

import logging
import os
import socket
from typing import Any

from celery import shared_task
from celery.contrib.django.task import DjangoTask
from celery.result import AsyncResult
from django.utils import timezone
from kombu.exceptions import OperationalError

from kgadmin.jobs import runner
from kgadmin.jobs.models import Job, WorkerHeartbeat

log = logging.getLogger(__name__)


class Kick(DjangoTask[Any, Any]):
    """A task whose caller goes on if the broker is away: its rows are saved, so the next sweep finds the work."""

    def apply_async(self, *args: Any, **kwargs: Any) -> AsyncResult[Any]:
        try:
            return super().apply_async(*args, **kwargs)
        except OperationalError as error:
            log.warning("The broker did not take %s (%s); the next sweep finds what is to do.", self.name, error)
            return self.AsyncResult("not sent")


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
    """Record that beat, the broker and a worker work."""
    WorkerHeartbeat.objects.update_or_create(
        hostname=socket.gethostname(), defaults={"pid": os.getpid(), "at": timezone.now()}
    )
