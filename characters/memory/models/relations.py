"""How a person's messages relate, and the runs that found it."""

from typing import Self, get_args

from django.conf import settings
from django.db import models
from django.utils import timezone

from characters.conversations.models import Message, Person
from characters.domain.relations import Relation as RelationClass
from characters.profiles.models import Character
from kgadmin.accounts.models import User

RELATION_CLASSES = [(name, name) for name in get_args(RelationClass)]


class Similarity(models.Model):
    """First pass of the message graph: two messages of a person to one character whose vectors are near."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="similarities")
    earlier = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="similar_later")
    later = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="similar_earlier")
    score = models.FloatField()
    """Cosine."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["earlier", "later"], name="one_similarity_of_a_pair")]

    def __str__(self) -> str:
        return f"{self.score:.2f}"

    @property
    def graph_id(self) -> str:
        """Its id in the graph."""
        return f"similarity:{self.pk}"


class EnrichmentRun(models.Model):
    """One run over the messages of a person (or of everybody) to one character. The job `enrich` works on it.

    `anchors` is how many nearest messages each has, `frontier` how many each of those has, `floor` the least cosine of
    an IS_SIMILAR edge, `threshold` the least confidence of a relation that is drawn. The run ends early at `max_calls`
    or `max_tokens`.
    """

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="enrichment_runs")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, blank=True, related_name="enrichment_runs")
    anchors = models.PositiveSmallIntegerField(default=5)
    frontier = models.PositiveSmallIntegerField(default=3)
    floor = models.FloatField(default=0.45)
    threshold = models.FloatField(default=0.6)
    max_calls = models.PositiveIntegerField(default=200)
    max_tokens = models.PositiveIntegerField(default=200_000)
    model = models.CharField(max_length=120, blank=True)
    """Which model classified; empty: embeddings and cues, without a model."""
    messages = models.PositiveIntegerField(default=0)
    pairs = models.PositiveIntegerField(default=0)
    """Pairs to classify, those that were classified before left out."""
    calls = models.PositiveIntegerField(default=0)
    tokens = models.PositiveIntegerField(default=0)
    similar = models.PositiveIntegerField(default=0)
    classified = models.PositiveIntegerField(default=0)
    unrelated = models.PositiveIntegerField(default=0)
    unclassified = models.PositiveIntegerField(default=0)
    stopped_by = models.CharField(max_length=120, blank=True)
    """Why it ended before its work did, in a sentence."""
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"Enrichment run {self.pk}"


class RunProblem(models.Model):
    """What went wrong in a run: a call that failed, an item of an answer that couldn't be taken."""

    run = models.ForeignKey(EnrichmentRun, on_delete=models.CASCADE, related_name="problems")
    kind = models.CharField(max_length=40)
    detail = models.CharField(max_length=500)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}"


class RelationQuerySet(models.QuerySet["Relation"]):
    def drawn(self) -> Self:
        """Those that are edges: neither unrelated, uncertain, unclassified nor rejected."""
        return self.filter(status__in=[Relation.Status.CLASSIFIED, Relation.Status.RELABELLED]).exclude(
            relation__in=["", "Unrelated"]
        )


class Relation(models.Model):
    """Second pass of the message graph: how two messages of a person relate, decided once per pair.

    A person's label (`relabelled`, `rejected`) is never overwritten by a run. `uncertain` is classified with less
    confidence than the run's threshold: kept, not drawn. The direction of the edge follows from the
    class (`characters.domain.relations.CLASSES`).
    """

    class Status(models.TextChoices):
        CLASSIFIED = "classified"
        UNCERTAIN = "uncertain"
        UNCLASSIFIED = "unclassified"
        RELABELLED = "relabelled"
        REJECTED = "rejected"

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="relations")
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="relations")
    earlier = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="relations_later")
    later = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="relations_earlier")
    relation = models.CharField(max_length=30, choices=RELATION_CLASSES, blank=True)
    confidence = models.FloatField(default=0.0)
    evidence = models.CharField(max_length=500, blank=True)
    origin = models.CharField(max_length=120, blank=True)
    """The model that classified it, "cues", or "operator"."""
    status = models.CharField(max_length=12, choices=Status.choices)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    run = models.ForeignKey(EnrichmentRun, on_delete=models.SET_NULL, null=True, related_name="relations")
    updated_at = models.DateTimeField(default=timezone.now)

    objects = RelationQuerySet.as_manager()

    class Meta:
        ordering = ["-confidence", "id"]
        constraints = [models.UniqueConstraint(fields=["earlier", "later"], name="one_relation_of_a_pair")]
        indexes = [
            models.Index(fields=["relation", "confidence"], name="relation_class"),
        ]

    def __str__(self) -> str:
        return self.relation or "unclassified"

    @property
    def graph_id(self) -> str:
        """Its id in the graph."""
        return f"relation:{self.pk}"

    def decide(self, *, relation: str, status: "Relation.Status", by: User) -> None:
        """An operator's word: relabel or reject."""
        Relation.objects.filter(pk=self.pk).update(
            relation=relation,
            status=status,
            origin="operator",
            confidence=1.0,
            decided_by=by,
            updated_at=timezone.now(),
        )
        self.refresh_from_db()


class MessageClass(models.Model):
    """A class of one message, such as Role Instruction: decided once, drawn on its edges."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="classes")
    relation = models.CharField(max_length=30, choices=RELATION_CLASSES)
    confidence = models.FloatField()
    evidence = models.CharField(max_length=500, blank=True)
    origin = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message"], name="one_class_of_a_message")]

    def __str__(self) -> str:
        return self.relation
