"""Suggested facts and lint reports of characters; both tables belong to the app `profiles`."""

from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

MAX_OBJECT = 300
MAX_SENTENCE = 500


class SuggestedFactQuerySet(models.QuerySet["SuggestedFact"]):
    def waiting(self) -> Self:
        """Return suggestions that nobody has decided."""
        return self.filter(state=SuggestedFact.State.WAITING)

    def decided(self) -> Self:
        """Return accepted and dismissed suggestions, the latest decision first."""
        return self.exclude(state=SuggestedFact.State.WAITING).order_by("-decided_at", "-pk")


class SuggestedFact(models.Model):
    """A fact that a text seems to state: `sentence`, at `start` to `end` of its source ("identity", "card").

    `key` is the object, normalized for comparison; `fact_id` is the fact that accepting added to the draft, if any.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        ACCEPTED = "accepted"
        DISMISSED = "dismissed"

    character = models.ForeignKey("profiles.Character", on_delete=models.CASCADE, related_name="suggestions")
    predicate = models.CharField(max_length=60)
    object = models.CharField(max_length=MAX_OBJECT)
    key = models.CharField(max_length=MAX_OBJECT)
    source = models.CharField(max_length=60)
    sentence = models.CharField(max_length=MAX_SENTENCE)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    by_model = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    fact_id = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    objects = SuggestedFactQuerySet.as_manager()

    class Meta:
        app_label = "profiles"  # where its table is
        ordering = ["source", "start", "id"]
        constraints = [
            models.UniqueConstraint(fields=["character", "predicate", "key"], name="one_suggestion_of_a_fact")
        ]

    def __str__(self) -> str:
        return f"{self.predicate} “{self.object}”"


class LintReport(models.Model):
    """The last lint report of a character: `findings` as JSON, and the `version` of the draft that was checked."""

    character = models.OneToOneField("profiles.Character", on_delete=models.CASCADE, related_name="lint_report")
    version = models.PositiveIntegerField()
    findings = models.JSONField()
    problem = models.TextField(blank=True)
    checked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        app_label = "profiles"  # where its table is

    def __str__(self) -> str:
        return f"Lint of {self.character}, version {self.version}"
