"""Login accounts. People who talk to characters are `Person`, in `characters.conversations`."""

from functools import cached_property
from typing import Self

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

ROLES = {
    "author": "Writes who a character is",
    "operator": "Looks after knowledge bases and engines",
    "tester": "Talks to characters and sees why they answer as they do",
}
"""The three roles, with what each does."""


class User(AbstractUser):
    """An account that signs in: an author, an operator, a tester, or several of these."""

    is_demo = models.BooleanField(
        default=False, help_text="May sign in with one click while the program runs as a demo."
    )
    links_made = models.PositiveIntegerField(default=0)
    """How many links to set a password were made; only the newest counts."""

    @cached_property
    def roles(self) -> frozenset[str]:
        """Return the user's roles, read once per request; an administrator has all of them."""
        if self.is_superuser:
            return frozenset(ROLES)
        return frozenset(group.name for group in self.groups.all() if group.name in ROLES)

    @property
    def may_sign_in(self) -> bool:
        """Return whether it is active; a demo account, only while the program runs as a demo."""
        return self.is_active and (settings.DEMO or not self.is_demo)

    @property
    def subject(self) -> str:
        """Return how the audit log names it."""
        return f"account:{self.pk}"

    @property
    def state(self) -> str:
        """Return its state in words."""
        if not self.is_active:
            return "disabled"
        return "active" if self.has_usable_password() else "invited"

    @property
    def purpose(self) -> str:
        """Return what the user's roles do, in words."""
        if len(self.roles) == len(ROLES):
            return "Everything: all three roles"
        return "; ".join(ROLES[role] for role in ROLES if role in self.roles)


class SignInAttempts(models.Model):
    """Attempts to sign in since `since`, from an address or with a name; only a digest of it is stored."""

    subject = models.CharField(max_length=64, unique=True)
    count = models.PositiveIntegerField(default=0)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["since"])]

    def __str__(self) -> str:
        return f"{self.count} attempts since {self.since:%H:%M}"


class Client(models.Model):
    """A program that talks to characters through the API; its people belong to it, whichever key it shows.

    `kind` says which program it is (`characters.clients.kinds`).
    """

    kind = models.CharField(max_length=20, default="script")
    name = models.CharField(max_length=80, unique=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="clients")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def namespace(self) -> str:
        """Return the namespace of its people."""
        return f"client:{self.pk}"


SCOPES = {
    "chat": "Talk to characters (/v1)",
    "read": "Read everything its owner can read (/api)",
    "write": "Change everything its owner can change (/api)",
}
"""Scopes of a key, in words."""


class SpeaksFor(models.TextChoices):
    """Whose words a key's requests are."""

    REQUEST = "request", "Whoever each request names"
    """By `user`, `safety_identifier` or `X-Person-Id`; nobody if it names none."""
    HEADERS = "headers", "Whoever the program’s headers name"
    PERSON = "person", "One person"
    NOBODY = "nobody", "Nobody: nothing is remembered"


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def usable(self) -> Self:
        """Return the keys that are neither revoked nor expired, and whose owner is active."""
        unexpired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
        return self.filter(unexpired, revoked_at=None, client__owner__is_active=True)


class ApiKey(models.Model):
    """A key of a program. Only its digest is stored; `prefix` tells keys apart on pages.

    It acts with the roles of its client's owner, within its `scopes`. It speaks for `person`, or for whom the headers
    name whose names are in `headers` ("person", "name", "conversation"). `minute` and `used` count the requests of the
    current minute.
    """

    client = models.ForeignKey(Client, on_delete=models.CASCADE, related_name="keys")
    prefix = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    speaks_for = models.CharField(max_length=10, choices=SpeaksFor.choices, default=SpeaksFor.REQUEST)
    person = models.CharField(max_length=80, blank=True)
    headers = models.JSONField(default=dict, blank=True)
    a_minute = models.PositiveIntegerField(default=60, validators=[MinValueValidator(1)])
    """Requests per minute that are answered."""
    minute = models.PositiveIntegerField(default=0)
    used = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"{self.client}, {self.prefix}…"

    @property
    def subject(self) -> str:
        """Return how the audit log names it."""
        return f"key:{self.pk}"

    @property
    def speaker(self) -> str:
        """Return for whom it speaks, in words."""
        if self.speaks_for == SpeaksFor.PERSON:
            return self.person
        return SpeaksFor(self.speaks_for).label.partition(":")[0].lower()

    @property
    def state(self) -> str:
        """Return its state in words."""
        if self.revoked_at:
            return "revoked"
        return "expired" if self.expires_at and self.expires_at <= timezone.now() else "in use"
