"""Jobs that people watch. The row is the truth; a message of the broker is only a kick."""

from datetime import timedelta
from typing import Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from kgadmin.stores.errors import StoreError

HEART_STOPPED_AFTER = timedelta(seconds=10)
KICK_AGAIN_AFTER = timedelta(seconds=5)
MAX_ATTEMPTS = 5


class JobLostError(Exception):
    """Another worker has this job now: stop without writing anything more."""


class JobStoppedError(Exception):
    """The job was paused or cancelled: its handler ends here, having saved its work."""


class JobQuerySet(models.QuerySet["Job"]):
    def open(self) -> Self:
        """Return the jobs that wait, run or are paused."""
        return self.filter(state__in=OPEN)

    def stalled(self) -> Self:
        """Return the running jobs without a recent heartbeat."""
        return self.filter(state=Job.State.RUNNING, heartbeat_at__lt=timezone.now() - HEART_STOPPED_AFTER)

    def forgotten(self) -> Self:
        """Return queued jobs kicked so long ago that the message may be lost."""
        return self.filter(state=Job.State.QUEUED, kicked_at__lt=timezone.now() - KICK_AGAIN_AFTER)

    def revive(self) -> list[int]:
        """Queue stalled jobs again; return the ids of the jobs to kick. Concurrent sweeps never get the same one."""
        for job in self.stalled():
            job.give_up_on_worker()
        due = [(job.pk, job.kicked_at) for job in self.forgotten()]
        now = timezone.now()
        return [pk for pk, kicked_at in due if Job.objects.filter(pk=pk, kicked_at=kicked_at).update(kicked_at=now)]


class Job(models.Model):
    """One piece of work on one subject.

    `worker` identifies one run by one worker: every write of a worker is conditional on it, so that a worker that was
    thought dead writes nothing when it wakes up. `requests` counts the calls of `services.start`; a job
    that was asked for again while it ran runs once more before it ends. `wish` is what a person asked of a running
    job: its handler stops at the next `progress`, and what it did until then stays.
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        PAUSED = "paused"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    class Wish(models.TextChoices):
        PAUSE = "pause"
        CANCEL = "cancel"

    kind = models.CharField(max_length=40)
    subject = models.CharField(max_length=100)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    note = models.CharField(max_length=200, blank=True)
    error = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    requests = models.PositiveIntegerField(default=1)
    wish = models.CharField(max_length=6, choices=Wish.choices, blank=True)
    worker = models.CharField(max_length=32, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    kicked_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject"],
                condition=Q(state__in=["queued", "running", "paused"]),
                name="one_open_job",
            )
        ]
        indexes = [models.Index(fields=["state"], name="job_state")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject} ({self.state})"

    @property
    def is_open(self) -> bool:
        return self.state in OPEN

    def pause(self) -> bool:
        """Pause the job: at once if it waits, else at its next step. Return False if it has ended."""
        return self._ask(self.Wish.PAUSE, self.State.PAUSED)

    def cancel(self) -> bool:
        """Cancel the job; what it did stays. Return False if it has ended."""
        paused = Job.objects.filter(pk=self.pk, state=self.State.PAUSED)
        if paused.update(state=self.State.CANCELLED, finished_at=timezone.now()):
            return True
        return self._ask(self.Wish.CANCEL, self.State.CANCELLED)

    def resume(self) -> bool:
        """Queue a paused job again; return False if it isn't paused. Call `services.resume`, which kicks it as well."""
        return bool(
            Job.objects.filter(pk=self.pk, state=self.State.PAUSED).update(
                state=self.State.QUEUED, wish="", attempts=0, kicked_at=timezone.now()
            )
        )

    def _ask(self, wish: "Job.Wish", state: "Job.State") -> bool:
        ended = timezone.now() if state == self.State.CANCELLED else None
        waiting = Job.objects.filter(pk=self.pk, state=self.State.QUEUED)
        if waiting.update(state=state, wish="", finished_at=ended):
            return True
        return bool(Job.objects.filter(pk=self.pk, state=self.State.RUNNING).update(wish=wish))

    def take(self) -> bool:
        """Make this process the one that runs the job; return False if another one was faster."""
        worker = uuid4().hex
        taken = Job.objects.filter(pk=self.pk, state=self.State.QUEUED).update(
            state=self.State.RUNNING, worker=worker, heartbeat_at=timezone.now(), attempts=F("attempts") + 1
        )
        if taken:
            self.refresh_from_db()
        # The sweep can't have taken the job away in between: its heartbeat is new.
        return bool(taken) and self.worker == worker

    def beat(self) -> bool:
        """Renew the heartbeat; return False if the job isn't this worker's any more."""
        return bool(self._mine().update(heartbeat_at=timezone.now()))

    def progress(self, *, done: int, total: int, note: str = "") -> None:
        """Report progress, and stop here if asked to. Raises `JobLostError` and `JobStoppedError`."""
        self.done, self.total, self.note = done, total, note[:200]
        if not self._mine().update(done=done, total=total, note=self.note, heartbeat_at=timezone.now()):
            raise JobLostError(str(self))
        if self._mine().exclude(wish="").exists():
            raise JobStoppedError(str(self))

    def stop(self) -> None:
        """End the job as requested: paused or cancelled; queue it if it was requested again meanwhile."""
        wanting = self._mine()
        wanting.filter(wish=self.Wish.PAUSE).update(state=self.State.PAUSED, wish="", worker="")
        wanting.filter(wish=self.Wish.CANCEL).update(
            state=self.State.CANCELLED, wish="", worker="", finished_at=timezone.now()
        )
        overdue = timezone.now() - 2 * KICK_AGAIN_AFTER
        wanting.filter(wish="").update(state=self.State.QUEUED, worker="", kicked_at=overdue)

    def finish(self) -> bool:
        """End the job successfully; return False if it was requested again meanwhile, and must run once more."""
        unasked = self._mine().filter(requests=self.requests)
        ended = unasked.update(state=self.State.DONE, wish="", error="", note="", finished_at=timezone.now())
        if not ended:
            if not self._mine().exists():
                raise JobLostError(str(self))
            self.refresh_from_db(fields=["requests"])
        return bool(ended)

    def fail(self, error: Exception) -> None:
        """Queue the job again if a retry may help or it was requested meanwhile; else end it with the error."""
        sentence = error.message if isinstance(error, StoreError) else f"{type(error).__name__}: {error}"
        again = {"state": self.State.QUEUED, "worker": "", "error": sentence, "kicked_at": timezone.now()}
        if isinstance(error, StoreError) and error.retryable and self.attempts < MAX_ATTEMPTS:
            self._mine().update(**again)
            return
        ended = {"state": self.State.FAILED, "worker": "", "error": sentence, "finished_at": timezone.now()}
        if not self._mine().filter(requests=self.requests).update(**ended):
            self._mine().update(**again, attempts=0)

    def give_up_on_worker(self) -> None:
        """Queue a dead worker's job again, unless it beats after all or has died too often."""
        dead = self._mine().filter(heartbeat_at=self.heartbeat_at)
        if self.attempts < MAX_ATTEMPTS:
            dead.update(state=self.State.QUEUED, worker="", kicked_at=timezone.now() - 2 * KICK_AGAIN_AFTER)
        else:
            sentence = self.error or f"The worker died {self.attempts} times while it ran this. Its log says more."
            dead.update(state=self.State.FAILED, worker="", error=sentence, finished_at=timezone.now())

    def _mine(self) -> JobQuerySet:
        return Job.objects.filter(pk=self.pk, worker=self.worker, state=self.State.RUNNING)


OPEN = (Job.State.QUEUED, Job.State.RUNNING, Job.State.PAUSED)


class WorkerHeartbeat(models.Model):
    """The last time a worker ran beat's heartbeat task (every 5 s). An old time means that worker or beat is down."""

    hostname = models.CharField(max_length=200, unique=True)
    pid = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"{self.hostname} at {self.at:%H:%M:%S}"
