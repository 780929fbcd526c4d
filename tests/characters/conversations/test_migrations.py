"""What earlier versions left comes over into today's columns."""

from importlib import import_module

import pytest
from django.apps import apps

from characters.conversations.models import Conversation, Message, Stage, Turn


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
