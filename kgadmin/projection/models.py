"""Changes that the projections still lack, and leases: who projects an owner now, and its last failure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone

LEASE_SECONDS = 10
RETRY_SECONDS = (1, 2, 5, 10, 30)
"""Waits after failures; the last one repeats."""
WRITE_BATCH = 500


@dataclass(frozen=True, slots=True)
class Batch:
    """Some changes of one kind of an owner's rows, as they were read."""

    owner: str
    kind: str
    ids: tuple[int, ...]
    rows: tuple[int, ...]

    def done(self) -> None:
        """Delete the changes: the stores hold these rows as they were read after them.

        If another projector has deleted some meanwhile, this one may have overwritten newer values: all are noted
        again. Changes made since are noted by themselves.
        """
        with transaction.atomic():
            if Change.objects.filter(pk__in=self.ids).delete()[0] < len(self.ids):
                Change.objects.note(self.owner, self.kind, self.rows)


class ChangeQuerySet(models.QuerySet["Change"]):
    def owners(self, prefix: str) -> set[str]:
        """Return the owners with changes whose names begin with `prefix`."""
        return set(self.filter(owner__startswith=prefix).order_by().values_list("owner", flat=True).distinct())

    def of(self, owner: str, kind: str, limit: int = 250) -> Batch:
        """Return the oldest changes of this kind."""
        changes = list(self.filter(owner=owner, kind=kind).order_by("pk").values_list("pk", "row")[:limit])
        return Batch(owner, kind, tuple(pk for pk, _ in changes), tuple(dict.fromkeys(row for _, row in changes)))

    def note(self, owner: str, kind: str, rows: Iterable[int]) -> None:
        """Note rows for writing without a change in the database, such as rows that a store has lost."""
        self.bulk_create((Change(owner=owner, kind=kind, row=row) for row in rows), batch_size=WRITE_BATCH)

    def waits(self, owner: str, kinds: Collection[str] = ()) -> bool:
        """Return whether a change of the owner, of these kinds if any are given, is still to be written."""
        changes = self.filter(owner=owner)
        return (changes.filter(kind__in=kinds) if kinds else changes).exists()


class Change(models.Model):
    """A row that was made, changed or deleted since the stores were written; triggers note it."""

    owner = models.CharField(max_length=100)
    kind = models.CharField(max_length=20)
    row = models.PositiveBigIntegerField()

    objects = ChangeQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["owner", "kind"], name="change_of_owner")]

    def __str__(self) -> str:
        return f"{self.kind}:{self.row} of {self.owner}"


class LeaseLostError(Exception):
    """Another process projects this owner now: stop."""


class Lease(models.Model):
    """One projector per owner at a time: a unique row, taken by a conditional update."""

    owner = models.CharField(max_length=100, unique=True)
    version = models.PositiveIntegerField(default=0)
    held_until = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    retry_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.owner

    @classmethod
    def take(cls, owner: str) -> "Lease | None":
        """Return the lease, if nobody holds it and its last failure is long enough ago."""
        lease, _ = cls.objects.get_or_create(owner=owner)
        now = timezone.now()
        free = Q(held_until=None) | Q(held_until__lt=now)
        due = Q(retry_at=None) | Q(retry_at__lte=now)
        taken = cls.objects.filter(free & due, pk=lease.pk, version=lease.version).update(
            version=F("version") + 1, held_until=now + timedelta(seconds=LEASE_SECONDS)
        )
        if not taken:
            return None
        lease.refresh_from_db()
        return lease

    def beat(self) -> None:
        """Extend the lease; a thread calls this while the work goes on."""
        held_until = timezone.now() + timedelta(seconds=LEASE_SECONDS)
        if self._mine().update(held_until=held_until):
            self.held_until = held_until

    def renew(self) -> None:
        """Check the lease during long work; no query while heartbeats extend it. Raises `LeaseLostError`."""
        if self.held_until and timezone.now() < self.held_until - timedelta(seconds=LEASE_SECONDS / 2):
            return
        self.beat()
        if not self._mine().exists():
            raise LeaseLostError(self.owner)

    def release(self) -> None:
        """Release the lease after a successful projection."""
        self._mine().update(held_until=None, failures=0, error="", retry_at=None)

    def release_failed(self, error: str) -> None:
        """Release the lease with the error, and delay the next try."""
        wait = RETRY_SECONDS[min(self.failures, len(RETRY_SECONDS) - 1)]
        retry_at = timezone.now() + timedelta(seconds=wait)
        self._mine().update(held_until=None, failures=F("failures") + 1, error=error, retry_at=retry_at)

    def _mine(self) -> "models.QuerySet[Lease]":
        return Lease.objects.filter(pk=self.pk, version=self.version)
