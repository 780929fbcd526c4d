"""Running one job: take it, keep its heart beating, call its handler, end it."""

import logging

from django.conf import settings
from django.db import InterfaceError, OperationalError, connections
from django.utils.module_loading import import_string

from kgadmin.jobs.heart import beating
from kgadmin.jobs.models import Job, JobLostError, JobStoppedError
from kgadmin.stores.errors import StoreError

log = logging.getLogger(__name__)


def run(job_id: int) -> None:
    """Run the job unless it has been taken, ended or removed meanwhile. Its errors end on its row."""
    job = Job.objects.filter(pk=job_id).first()
    if job is None or not job.take():
        return
    with beating(job.beat, f"job {job.pk}"):
        _handle(job)


def _handle(job: Job) -> None:
    try:
        handler = import_string(settings.JOB_HANDLERS[job.kind])
        handler(job)
        while not job.finish():
            handler(job)
    except JobStoppedError:
        job.stop()
    except JobLostError:
        log.warning("Job %s was given to another worker while this one was silent.", job.pk)
    except (OperationalError, InterfaceError):
        log.warning("The database went away while job %s ran.", job.pk, exc_info=True)
        connections.close_all()
        # Where it is still away the row says "running", with a heart that stopped: the sweep finds it.
        job.fail(StoreError("The database did not answer."))
    except Exception as error:  # one of the five places: the row says what happened
        log.warning("Job %s failed.", job.pk, exc_info=True)
        job.fail(error)
