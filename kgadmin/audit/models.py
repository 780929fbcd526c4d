"""The audit log: who did what to what, when and why. Words are in the detail, which forgetting a person empties."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone


class Entry(models.Model):
    """One act. `actor` is the name at the time, empty if the program did it; `batch` joins the acts of one action."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    actor_id = models.PositiveBigIntegerField(null=True)
    actor = models.CharField(max_length=150, blank=True)
    verb = models.CharField(max_length=30)
    subject = models.CharField(max_length=100)
    character = models.CharField(max_length=100, blank=True)
    reason = models.CharField(max_length=40, blank=True)
    batch = models.CharField(max_length=40, blank=True)
    undoes = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="undone_by")

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "entries"
        indexes = [
            models.Index(fields=["subject"], name="audit_subject"),
            models.Index(fields=["character"], name="audit_character"),
            models.Index(fields=["batch"], condition=~Q(batch=""), name="audit_batch"),
        ]

    def __str__(self) -> str:
        return f"{self.actor or 'kgadmin'} {self.verb} {self.subject}"


class Detail(models.Model):
    """Values before and after, and the reason; empty once they were forgotten."""

    entry = models.OneToOneField(Entry, on_delete=models.PROTECT, primary_key=True, related_name="detail")
    before: Any = models.JSONField(default=dict)
    after: Any = models.JSONField(default=dict)
    note = models.TextField(blank=True)
    redacted_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"Detail of entry {self.entry_id}"


class Concern(models.Model):
    """A person whom an entry concerns, by id: the person may be forgotten."""

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="concerns")
    person_id = models.PositiveBigIntegerField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "person_id"], name="one_concern_of_a_person")]

    def __str__(self) -> str:
        return f"Entry {self.entry_id} concerns person:{self.person_id}"
