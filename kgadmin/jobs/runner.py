"""Run one job: take it, keep up its heartbeat, call its handler, end it."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connections
from django.utils.module_loading import import_string

from kgadmin.jobs.models import Job, JobLostError, JobStoppedError
from kgadmin.stores.errors import StoreError

HEARTBEAT_S = 2.0

log = logging.getLogger(__name__)


def run(job_id: int) -> None:
    """Run the job unless it has been taken, ended or removed meanwhile. Errors are saved on its row."""
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
        # If the database is still away, the row stays "running" without heartbeats, and the sweep finds it.
        job.fail(StoreError("The database did not answer."))
    except Exception as error:  # one of the five places: the row says what happened
        log.warning("Job %s failed.", job.pk, exc_info=True)
        job.fail(error)


@contextmanager
def beating(beat: Callable[[], object], name: str) -> Iterator[None]:
    """Call `beat`, which writes to the database, every 2 s from a thread."""
    stop = Event()
    thread = Thread(target=_beat, args=(beat, name, stop), name=f"heart of {name}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _beat(beat: Callable[[], object], name: str, stop: Event) -> None:
    try:
        while not stop.wait(HEARTBEAT_S):
            try:
                beat()
            except (DatabaseError, InterfaceError):
                log.warning("The heart of %s could not be written; trying again.", name, exc_info=True)
                connections.close_all()  # a restarted server has lost this connection
    finally:
        connections.close_all()
