"""What a person's messages name."""

from typing import get_args

from django.db import models
from django.utils import timezone

from characters.conversations.models import Message, Person
from characters.domain.people import EntityKind

KINDS = [(kind, kind) for kind in get_args(EntityKind)]


class Entity(models.Model):
    """Something or somebody that a person spoke of. `key` is its name, folded: the same name is the same entity."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="entities")
    key = models.CharField(max_length=200)
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=KINDS, default="thing")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["person", "key"], name="one_entity_of_a_key")]

    def __str__(self) -> str:
        return self.name

    @property
    def graph_id(self) -> str:
        """Its id in the graph."""
        return f"entity:{self.pk}"


class Alias(models.Model):
    """Another name of an entity ("my cat", "Lulu"), from a merge, an operator or what the person said."""

    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="aliases")
    key = models.CharField(max_length=200)
    text = models.CharField(max_length=200)

    class Meta:
        ordering = ["text"]
        constraints = [models.UniqueConstraint(fields=["entity", "key"], name="one_alias_of_a_key")]

    def __str__(self) -> str:
        return self.text


class Mention(models.Model):
    """That a message speaks of an entity."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="mentions")
    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="mentions")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message", "entity"], name="one_mention")]

    def __str__(self) -> str:
        return f"{self.entity} in message {self.message_id}"
