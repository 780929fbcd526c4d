"""What a character learned about itself: rows of their own, never part of a sheet.

The database refuses a row whose predicate isn't registered as one that may be learned (`triggers`), whoever writes it.
"""

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from characters.domain.sheet import LEARNED_ID, Fact, Sheet


class LearnedFactQuerySet(models.QuerySet["LearnedFact"]):
    def active(self) -> Self:
        """Those that turns may use."""
        return self.filter(state=LearnedFact.State.ACTIVE)

    def in_use(self, sheet: Sheet) -> list["LearnedFact"]:
        """Those of one character that turns with this sheet use: pinned ones first, then the newest, up to the cap."""
        rows = self.active().select_related("predicate").defer("vectors")
        newest = rows.order_by("-pinned", "-pk")[: sheet.settings.most_learned]
        return sorted(newest, key=lambda row: row.pk)


class LearnedFact(models.Model):
    """A fact that an operator approved. Turns rank it below the core facts of the sheet.

    It is suspended while a core fact says otherwise (`suspended_by`, that fact's id), archived when it wasn't used, and
    taken back when its approval was undone. One that is `pinned` doesn't decay. `vectors` are those of its texts.
    """

    class State(models.TextChoices):
        ACTIVE = "active"
        SUSPENDED = "suspended"
        ARCHIVED = "archived"
        TAKEN_BACK = "taken back"

    character = models.ForeignKey("profiles.Character", on_delete=models.CASCADE, related_name="learned")
    predicate = models.ForeignKey("profiles.Predicate", on_delete=models.PROTECT, related_name="+")
    object = models.CharField(max_length=500)
    confidence = models.FloatField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.ACTIVE)
    suspended_by = models.CharField(max_length=60, blank=True)
    pinned = models.BooleanField(default=False)
    uses = models.PositiveIntegerField(default=0)
    last_used_at = models.DateTimeField(null=True)
    learned_at = models.DateTimeField(default=timezone.now)
    vectors = models.BinaryField(null=True)
    embedder = models.CharField(max_length=120, blank=True)

    objects = LearnedFactQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["character"], condition=Q(state="active"), name="learned_active")]

    def __str__(self) -> str:
        return f"{self.predicate} {self.object}"

    @property
    def fact(self) -> Fact:
        """As the turn reads it."""
        return Fact(f"{LEARNED_ID}{self.pk}", self.predicate.name, self.object)
