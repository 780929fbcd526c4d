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


def test_a_tester_opens_the_trace_that_a_programs_answer_leads_to(tester_client: Browser, turn: Turn) -> None:
    page = tester_client.get(f"/playground/turns/{turn.pk}/").content.decode()
    assert "Mark talks through the program" in " ".join(page.split())
    assert "<textarea" not in page
    assert "Try again" not in page


def test_nobody_writes_into_it_not_even_the_programs_owner(tester_client: Browser, turn: Turn) -> None:
    answer = tester_client.post(f"/playground/conversations/{turn.conversation.pk}/say/", {"message": "It's me"})
    assert answer.status_code == 403
    assert tester_client.post(f"/playground/turns/{turn.pk}/again/").status_code == 403
    assert Turn.objects.count() == 1


def test_it_is_not_among_the_testers_own_conversations(tester_client: Browser, turn: Turn) -> None:
    assert "Hello there" not in tester_client.get("/playground/").content.decode()
