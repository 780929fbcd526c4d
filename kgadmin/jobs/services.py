"""Starting and resuming work that a person watches."""

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F

from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.jobs.tasks import run


def start(*, kind: str, subject: str, by: User | None) -> Job:
    """The open job of this kind and subject, made if there is none; a running one will run once more."""
    if kind not in settings.JOB_HANDLERS:
        raise ValueError(f"No handler is set for jobs of the kind {kind!r}.")
    with transaction.atomic():
        job = _asked_again(kind, subject) or _made(kind, subject, by)
        run.delay_on_commit(job.pk)
    return job


def _asked_again(kind: str, subject: str) -> Job | None:
    open_jobs = Job.objects.open().filter(kind=kind, subject=subject)
    if not open_jobs.update(requests=F("requests") + 1):
        return None
    return open_jobs.get()


def resume(job: Job) -> bool:
    """Let a paused job go on where it stopped; False if it isn't paused."""
    with transaction.atomic():
        resumed = job.resume()
        if resumed:
            run.delay_on_commit(job.pk)
    return resumed


def _made(kind: str, subject: str, by: User | None) -> Job:
    try:
        with transaction.atomic():
            return Job.objects.create(kind=kind, subject=subject, created_by=by)
    except IntegrityError:  # another process made it between our look and our insert
        return Job.objects.open().get(kind=kind, subject=subject)
