"""The log of what client programs asked for, and what was understood of it."""

from django.db import models
from django.utils import timezone

from characters.conversations.models import Person, Turn
from kgadmin.accounts.models import Client


class ClientRequest(models.Model):
    """A request of a program. It holds no text of anybody, and is deleted with its person."""

    class Action(models.TextChoices):
        MESSAGE = "message", "A message"
        AGAIN = "again", "Another try of a message"
        EDIT = "edit", "An edited message"
        CONTINUE = "continue", "A reply that goes on"
        QUIET = "quiet", "A quiet prompt"
        CHORE = "chore", "A chore of the program"
        PLAIN = "plain", "The language model, without a character"
        MODELS = "models", "The list of models"
        REFUSED = "refused", "Refused"

    client = models.ForeignKey(Client, on_delete=models.CASCADE, related_name="requests")
    at = models.DateTimeField(default=timezone.now)
    action = models.CharField(max_length=10, choices=Action.choices)
    model = models.CharField(max_length=200, blank=True)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, related_name="+")
    turn = models.ForeignKey(Turn, on_delete=models.SET_NULL, null=True, related_name="+")
    passed_over = models.JSONField(default=list)
    """What the request held and nobody used: names of fields, roles and kinds of parts."""
    note = models.TextField(blank=True)
    """Why nothing is remembered, or why it was refused."""

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["client", "-at"], name="request_client_at")]

    def __str__(self) -> str:
        return f"{self.client}: {self.get_action_display()}"
