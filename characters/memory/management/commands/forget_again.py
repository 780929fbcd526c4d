"""`manage.py forget_again`: delete from a restored database what was forgotten after its backup was made."""

from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from characters.conversations.models import Conversation, Person
from characters.memory import facts
from characters.memory.erasure import forget_conversation, forget_person
from characters.memory.models import UserFact
from kgadmin.embedded import forgotten


class Command(BaseCommand):
    """Forget by the ids that the data folder keeps; only rows older than the forgetting, since ids are reused."""

    help = "Forgets again, after a restore, whoever was forgotten since the backup was made."

    def handle(self, *args: Any, **options: Any) -> None:
        gone = forgotten.read(settings.DATA_DIR).items()
        done = sum(_forget(subject, datetime.fromisoformat(at).replace(tzinfo=UTC)) for subject, at in gone)
        self.stdout.write(f"{done} forgotten since the backup was made, and forgotten again" if done else "as it was")


def _forget(subject: str, at: datetime) -> bool:
    kind, _, pk = subject.partition(":")
    if kind == "person" and (person := Person.objects.filter(pk=pk, created_at__lt=at).first()):
        forget_person(person, by=None)
    elif kind == "conversation" and (talk := Conversation.objects.filter(pk=pk, created_at__lt=at).first()):
        forget_conversation(talk, by=None)
    elif kind == "user_fact" and (fact := UserFact.objects.filter(pk=pk, first_seen__lt=at).first()):
        facts.forget(fact=fact, by=None)
    else:
        return False
    return True
