"""What a person said of themselves and of what they know."""

from typing import Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from characters.conversations.models import Message, Person
from characters.domain.people import person_predicate
from characters.memory.models.entities import Entity
from characters.profiles.models import Character


class UserFactQuerySet(models.QuerySet["UserFact"]):
    def of(self, person_id: int, character_id: int) -> Self:
        """What one character knows of one person."""
        return self.filter(person_id=person_id, character_id=character_id)

    def current(self) -> Self:
        """Those that hold today."""
        return self.filter(state=UserFact.State.CURRENT)

    def otherwise(self, predicate: str, object: Entity) -> Self:
        """Those that can't hold together with one of this predicate and object."""
        known = person_predicate(predicate)
        found = Q(pk__in=[])
        if not known.many:
            found |= Q(predicate=known.name) & ~Q(object=object)
        if known.opposite:
            found |= Q(predicate=known.opposite, object=object)
        return self.filter(found)


class UserFact(models.Model):
    """What a character learned about a person.

    `subject` is the entity that it is about ("Luna is a cat"), none where it is the person. `text` is the object as it
    was said, `mentions` in how many messages the object came up, and `last_seen` when it last did. A fact that ended
    (`closed`) keeps its dates: it held from `first_seen` to `closed_at`.
    """

    class State(models.TextChoices):
        CURRENT = "current"
        CLOSED = "closed"

    class Origin(models.TextChoices):
        PATTERN = "pattern"
        MODEL = "model"
        OPERATOR = "operator"

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="facts")
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="user_facts")
    subject = models.ForeignKey(Entity, on_delete=models.CASCADE, null=True, related_name="facts_about")
    predicate = models.CharField(max_length=60)
    object = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="facts_to")
    text = models.CharField(max_length=300)
    confidence = models.FloatField(validators=[MinValueValidator(0.0), MaxValueValidator(1.0)])
    origin = models.CharField(max_length=10, choices=Origin.choices)
    state = models.CharField(max_length=8, choices=State.choices, default=State.CURRENT)
    mentions = models.PositiveIntegerField(default=1)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    vector = models.BinaryField(null=True)
    """Of its sentence."""
    embedder = models.CharField(max_length=120, blank=True)

    objects = UserFactQuerySet.as_manager()

    class Meta:
        ordering = ["-last_seen", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "character", "predicate", "object"],
                condition=Q(state="current", subject=None),
                name="one_current_fact_of_a_person",
            ),
            models.UniqueConstraint(
                fields=["person", "character", "subject", "predicate", "object"],
                condition=Q(state="current", subject__isnull=False),
                name="one_current_fact_of_an_entity",
            ),
        ]
        indexes = [
            models.Index(fields=["person", "character", "state"], name="user_fact_known"),
        ]

    def __str__(self) -> str:
        return f"{self.predicate} {self.text}"

    @property
    def graph_id(self) -> str:
        """Its id in the graph and in traces."""
        return f"user_fact:{self.pk}"


class Evidence(models.Model):
    """Where a fact was said: characters `start` to `end` of a message."""

    fact = models.ForeignKey(UserFact, on_delete=models.CASCADE, related_name="evidence")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="evidence")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        ordering = ["message_id"]
        constraints = [models.UniqueConstraint(fields=["fact", "message"], name="one_evidence_of_a_message")]

    def __str__(self) -> str:
        return self.message.text[self.start : self.end]
