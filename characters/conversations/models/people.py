"""People who talk with characters, and how well they know each other."""

from typing import Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from characters.profiles.models import Character
from kgadmin.accounts.models import Client, User

TESTER = "tester:"
SHARED_TEST_PEOPLE = f"{TESTER}all"
"""Namespace of the test people as whom every tester may talk."""
IMPORTED = "import"
DEFAULT_TRUST = 0.5


class PersonQuerySet(models.QuerySet["Person"]):
    def playable_by(self, user: User) -> Self:
        """Return the test people as whom `user` talks, remembered: their own and the shared ones."""
        return self.filter(namespace__in=[SHARED_TEST_PEOPLE, f"{TESTER}{user.pk}"])


class Person(models.Model):
    """Somebody a character talks to; no login account. Unique per namespace ("tester:5") and outside id."""

    namespace = models.CharField(max_length=60)
    outside_id = models.CharField(max_length=200)
    name = models.CharField(max_length=100)
    created_at = models.DateTimeField(default=timezone.now)

    objects = PersonQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["namespace", "outside_id"], name="one_person_of_an_id")]

    def __str__(self) -> str:
        return self.name

    def hold(self) -> None:
        """Lock the row, so that nobody else changes what is known of them until this transaction ends."""
        Person.objects.select_for_update().filter(pk=self.pk).first()

    @property
    def graph_id(self) -> str:
        """Return their id in the graph; also the owner of everything that is remembered of them."""
        return f"person:{self.pk}"

    @property
    def is_test(self) -> bool:
        """Return whether this is a test person: testers talk as them, and they are remembered."""
        return self.namespace.startswith(TESTER)

    @property
    def kind(self) -> str:
        """Return the kind of the person, as pages show it."""
        if self.namespace == SHARED_TEST_PEOPLE:
            return "Shared test person"
        if self.is_test:
            return "Test person"
        if self.namespace == IMPORTED:
            return "Imported person"
        kind, _, number = self.namespace.partition(":")
        program = Client.objects.filter(pk=number).first() if kind == "client" else None
        return f"Through {program}" if program else "Real person"

    def rename(self, name: str) -> None:
        """Change their name."""
        self.name = name
        Person.objects.filter(pk=self.pk).update(name=name)

    def is_played_by(self, user: User) -> bool:
        """Return whether the messages of `user` as this person are remembered; other people's memory is only read."""
        return self.namespace in {SHARED_TEST_PEOPLE, f"{TESTER}{user.pk}"}


class Acquaintance(models.Model):
    """An acquaintance of a person and a character, with the versions by which caches are checked. `facts_version`
    counts changes of the known facts, `messages_epoch` how often something said was forgotten, `places` the remembered
    messages.
    """

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="acquaintances")
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="acquaintances")
    trust = models.FloatField(default=DEFAULT_TRUST, validators=[MinValueValidator(0.0), MaxValueValidator(1.0)])
    first_met = models.DateTimeField(default=timezone.now)
    last_met = models.DateTimeField(default=timezone.now)
    facts_version = models.PositiveIntegerField(default=0)
    messages_epoch = models.PositiveIntegerField(default=0)
    places = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-last_met"]
        constraints = [models.UniqueConstraint(fields=["person", "character"], name="one_acquaintance")]

    def __str__(self) -> str:
        return f"{self.character} knows {self.person}"
