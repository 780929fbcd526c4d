"""Start and resume jobs that people watch."""

from collections.abc import Callable, Mapping

from django.db import IntegrityError, transaction
from django.db.models import Case, F, Value, When

from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.jobs.tasks import run
from kgadmin.rest.actions import Refused, first_or_404


def start(*, kind: str, subject: str, by: User | None) -> Job:
    """Return the open job of this kind and subject, or make one; a job that runs already will run once more, also one
    that was to be cancelled.
    """
    open_jobs = Job.objects.open().filter(kind=kind, subject=subject)
    wish = Case(When(wish=Job.Wish.CANCEL, then=Value("")), default=F("wish"))
    with transaction.atomic():
        if open_jobs.update(requests=F("requests") + 1, wish=wish):
            job = open_jobs.get()
        else:
            try:
                with transaction.atomic():
                    job = Job.objects.create(kind=kind, subject=subject, created_by=by)
            except IntegrityError:  # another process made it between our look and our insert
                job = open_jobs.get()
        run.delay_on_commit(job.pk)
    return job


def resume(job: Job) -> bool:
    """Resume a paused job where it stopped; return False if it isn't paused."""
    with transaction.atomic():
        resumed = job.resume()
        if resumed:
            run.delay_on_commit(job.pk)
    return resumed


ACTS: Mapping[str, tuple[Callable[[Job], bool], str]] = {
    "pause": (Job.pause, "This had already ended, so there was nothing to pause."),
    "resume": (resume, "This wasn't paused, so there was nothing to resume."),
    "cancel": (Job.cancel, "This had already ended, so there was nothing to cancel."),
}
"""Actions on a job, with the message if it is too late."""


def act(pk: int, verb: str) -> Job:
    """Pause, resume or cancel a job. 404 if there is none; raises `Refused` where it is too late."""
    does, too_late = ACTS[verb]
    if not does(job_for(pk)):
        raise Refused(too_late, status=409)
    return job_for(pk)


def job_for(pk: int) -> Job:
    """Return the job; 404 if there is none."""
    return first_or_404(Job.objects.filter(pk=pk), "There is no such job. See the list of jobs.")
