"""What earlier versions left comes over into today's columns."""

from itertools import product

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from characters.conversations.models import Conversation, Message

FLAGS = ("remembered", "quotable", "unexamined", "unread")


def state_of(*, remembered: bool, quotable: bool, unexamined: bool, placed: bool, role: str) -> str:
    """What four flags and a place meant, for the first message of a conversation."""
    if not remembered:
        return "reflex"
    if not placed:
        return "greeting" if role == "assistant" and not quotable else "none"
    return "waiting" if unexamined else "quotable" if quotable else "withheld"


@pytest.mark.engine
@pytest.mark.django_db(transaction=True)
def test_every_combination_of_the_four_flags_has_its_state(conversation: Conversation) -> None:
    call_command("migrate", "conversations", "0002", verbosity=0)
    try:
        before = MigrationExecutor(connection).loader.project_state(("conversations", "0002_changes_are_noted")).apps
        rows = before.get_model("conversations", "Message").objects
        made = {}
        for flags, place, role in product(product((False, True), repeat=4), (None, 7), ("user", "assistant")):
            marks = dict(zip(FLAGS, flags, strict=True))
            row = rows.create(conversation_id=conversation.pk, role=role, text="Hi", place=place, **marks)
            unread = marks.pop("unread")
            state = state_of(**marks, placed=bool(place), role=role)
            made[row.pk] = (state, unread and role == "user" and state not in {"none", "reflex", "greeting"})
    finally:
        call_command("migrate", "conversations", verbosity=0)
    assert {row.pk: (row.memory, row.is_unread) for row in Message.objects.all()} == made
