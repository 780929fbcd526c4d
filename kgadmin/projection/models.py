"""What is still to be deleted from the projections; who projects which owner now, and what went wrong last time."""

from datetime import timedelta

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

LEASE_SECONDS = 10
RETRY_SECONDS = (1, 2, 5, 10, 30)
"""Waits after failures; the last one repeats."""


class Tombstone(models.Model):
    """A deleted row that graph or vectors may still hold; removed when its deletion is projected.

    `key` is the row's id in the projections; where it is the owner's own id, everything of that owner goes.
    """

    owner = models.CharField(max_length=100)
    key = models.CharField(max_length=100)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "key"], name="one_tombstone")]

    def __str__(self) -> str:
        return self.key


class LeaseLostError(Exception):
    """Somebody else projects this owner now: whoever sees this stops without clearing any mark."""


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
        """The lease, if nobody holds it and its last failure is long enough ago."""
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
        """Keep it for another while: its heart calls this while the work goes on."""
        held_until = timezone.now() + timedelta(seconds=LEASE_SECONDS)
        if self._mine().update(held_until=held_until):
            self.held_until = held_until

    def renew(self) -> None:
        """Make sure of it, in the middle of long work. Raises `LeaseLostError` if another one took it.

        While its heart beats nobody can have taken it, so the database isn't asked.
        """
        if self.held_until and timezone.now() < self.held_until - timedelta(seconds=LEASE_SECONDS / 2):
            return
        self.beat()
        if not self._mine().exists():
            raise LeaseLostError(self.owner)

    def release(self) -> None:
        """Give it back after a projection that went well."""
        self._mine().update(held_until=None, failures=0, error="", retry_at=None)

    def release_failed(self, error: str) -> None:
        """Give it back with the error, and let the next try wait."""
        wait = RETRY_SECONDS[min(self.failures, len(RETRY_SECONDS) - 1)]
        retry_at = timezone.now() + timedelta(seconds=wait)
        self._mine().update(held_until=None, failures=F("failures") + 1, error=error, retry_at=retry_at)

    def _mine(self) -> "models.QuerySet[Lease]":
        return Lease.objects.filter(pk=self.pk, version=self.version)
