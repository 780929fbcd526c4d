"""What earlier versions left comes over into today's columns."""

from importlib import import_module
from itertools import product

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from characters.conversations.models import Conversation, Message, Stage, Turn

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


@pytest.mark.django_db
def test_traces_of_earlier_versions_open_under_todays_names(conversation: Conversation) -> None:
    message = Message.objects.create(conversation=conversation, role="user", text="Hi")
    lore = {"lore": [{"id": "l1", "told": True}], "text": "told"}
    carried = {"said": {"message:7": [1]}, "probe": {"leaning": {"said": 1.0}}}
    turn = Turn.objects.create(message=message, key="k", prompt=lore, carried=carried)
    shared = {"common": [{"theirs": "user_fact:8", "hers": "fact:f1"}], "common_dropped": []}
    stage = Stage.objects.create(turn=turn, position=4, name="user_facts", started_ms=0, elapsed_ms=0, evidence=shared)
    import_module("characters.conversations.migrations.0005_names_in_traces").rename(apps, None)
    turn.refresh_from_db()
    stage.refresh_from_db()
    assert turn.prompt == {"lore": [{"id": "l1", "shown": True}], "text": "told"}
    assert turn.carried == {"shown": {"message:7": [1]}, "probe": {"leaning": {"said": 1.0}}}
    assert stage.evidence["common"] == [{"person_fact": "user_fact:8", "character_fact": "fact:f1"}]
