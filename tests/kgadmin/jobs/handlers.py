"""What the tests' jobs do; each notes that it ran."""

from kgadmin.jobs import services
from kgadmin.jobs.models import Job
from tests.patience import wait_for

runs: list[int] = []


def note(job: Job) -> None:
    runs.append(job.pk)


def ask_again_once(job: Job) -> None:
    runs.append(job.pk)
    if len(runs) == 1:
        services.start(kind=job.kind, subject=job.subject, by=None)


def divide_by_nought(job: Job) -> None:
    job.progress(done=1, total=0)
    raise ZeroDivisionError("by nought")


def outlive_a_heartbeat(job: Job) -> None:
    taken_at = job.heartbeat_at

    def beaten() -> bool:
        return Job.objects.exclude(heartbeat_at=taken_at).exists()

    if wait_for(beaten, timeout=10):
        runs.append(job.pk)
