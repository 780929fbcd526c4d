"""What a tester sees of a conversation that a program holds."""

import pytest
from django.test import Client as Browser

from characters.conversations import clients
from characters.conversations.clients import Sent
from characters.conversations.models import Turn
from kgadmin.accounts.models import Client, User
from tests.characters.profiles import sheets

pytestmark = pytest.mark.django_db


@pytest.fixture
def turn(tester: User) -> Turn:
    bot = Client.objects.create(name="A bot", owner=tester)
    turn = clients.begin(Sent(bot, sheets.character("elena"), "Hello there", person="7", name="Mark"))
    turn.finish(Turn.State.FAILED, "", error="It was down.")
    return turn


def test_a_conversation_that_a_program_holds_is_read_and_not_written_into(tester_client: Browser, turn: Turn) -> None:
    page = tester_client.get(f"/playground/turns/{turn.pk}/").content.decode()
    assert "Mark talks through the program" in " ".join(page.split())
    assert "<textarea" not in page
    assert "Try again" not in page
    for path in (f"conversations/{turn.conversation.pk}/say/", f"turns/{turn.pk}/again/"):
        assert tester_client.post(f"/playground/{path}", {"message": "It's me"}).status_code == 403, path
    assert Turn.objects.count() == 1
    assert "Hello there" not in tester_client.get("/playground/").content.decode()
