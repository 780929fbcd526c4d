import asyncio
import re
from html import unescape
from typing import Any

import pytest
from django.test import AsyncClient, Client
from django.urls import reverse

from characters.conversations import clients, services
from characters.conversations.clients import Sent
from characters.conversations.models import Conversation, Turn
from characters.profiles.models import Character
from kgadmin.accounts.models import Client as Program
from kgadmin.accounts.models import User
from tests.fixtures.people import PASSWORD
from tests.scripted_model import ScriptedModel
from tests.turns import answered, asked, fresh, until

HTMX = {"HX-Request": "true"}

READ = [
    "/playground/with/tomasz/",
    "/playground/conversations/{conversation}/",
    "/playground/turns/{turn}/",
    "/playground/turns/{turn}/background/",
    "/playground/turns/{turn}/article/",
    "/playground/turns/{turn}/learned/",
    "/playground/turns/{turn}/trace/",
    "/playground/turns/{turn}/ending/",
    "/playground/turns/{turn}/stated/",
    "/playground/turns/{turn}/events/",
]
WRITE = [
    "/playground/with/tomasz/begin/",
    "/playground/conversations/{conversation}/say/",
    "/playground/turns/{turn}/stop/",
    "/playground/turns/{turn}/again/",
]


@pytest.fixture
def turn(model: ScriptedModel, tester: User, tomasz: Character) -> Turn:
    """A whole turn of the tester's."""
    return answered(asked(tester, tomasz, "Who taught you to hold the pipe?"))


@pytest.fixture
def colleague_client(turn: Turn, tester: User) -> Client:
    """Another tester, who didn't ask this."""
    colleague = User.objects.create_user("colleague", password=PASSWORD)
    colleague.groups.set(tester.groups.all())
    client = Client()
    client.force_login(colleague)
    return client


def at(path: str, turn: Turn) -> str:
    return path.format(turn=turn.pk, conversation=turn.conversation.pk)


def text_of(answer: Any) -> str:
    """What the page says, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", answer.content.decode())).split())


# Who may do what


def test_in_somebody_elses_conversation_nothing_can_be_written_and_no_button_offers_it(
    colleague_client: Client, turn: Turn
) -> None:
    for path in WRITE[1:]:
        answer = colleague_client.post(at(path, turn), {"message": "Let me in"})
        assert answer.status_code == 403, path
        assert "someone else’s conversation" in text_of(answer), path
    assert Turn.objects.count() == 1
    Turn.objects.filter(pk=turn.pk).update(state="failed")
    page = colleague_client.get(at("/playground/turns/{turn}/", turn))
    assert "someone else’s conversation" in text_of(page)
    assert "<textarea" not in page.content.decode()
    assert "Try again" not in text_of(page)


def test_what_is_not_there_or_has_no_live_sheet_is_missing(tester_client: Client) -> None:
    Character.objects.create(slug="nobody", name="Nobody")
    for path in (*READ, *WRITE):
        missing = path.format(turn=999, conversation=999).replace("tomasz", "nobody")
        call = tester_client.post if path in WRITE else tester_client.get
        assert call(missing, {"message": "Hello out there"}).status_code == 404, path


# Talking without JavaScript


def test_without_javascript_a_message_waits_for_its_reply(
    tester_client: Client, tester: User, model: ScriptedModel, tomasz: Character
) -> None:
    model.says("I was six, ", "at the fair.").says("Twice a year.")
    answer = tester_client.post(WRITE[0], {"message": "Who taught you?"}, follow=True)
    turn = Turn.objects.get()
    assert answer.redirect_chain == [(reverse("playground:turn", args=[turn.pk]), 302)]
    assert (turn.state, turn.conversation.owner) == ("done", tester)
    for text in ("I was six, at the fair.", "Trace of turn 1"):
        assert text in text_of(answer)
    answer = tester_client.post(at(WRITE[1], turn), {"message": "Do you go back?"}, follow=True)
    for text in ("I was six, at the fair.", "Twice a year.", "Trace of turn 2"):
        assert text in text_of(answer)


def test_without_javascript_a_failed_reply_is_tried_again(
    tester_client: Client, tester: User, tomasz: Character, model: ScriptedModel
) -> None:
    model.refuses(401).says("Now I can.")
    failed = answered(asked(tester, tomasz, "Can you hear me now?"))
    page = tester_client.get(at("/playground/turns/{turn}/", failed))
    assert "refused the key" in text_of(page)
    assert "Try again" in text_of(page)
    answer = tester_client.post(at(WRITE[3], failed), follow=True)
    assert "Now I can." in text_of(answer)
    assert "2 tries" in text_of(answer)
    assert fresh(failed).state == "failed"


def test_the_same_form_sent_twice_is_one_turn(tester_client: Client, model: ScriptedModel, turn: Turn) -> None:
    form = {"message": "Do you go back?"}
    Turn.objects.filter(pk=turn.pk).update(state="failed")
    for number, path in enumerate((at(WRITE[3], turn), at(WRITE[1], turn), WRITE[0])):
        before = Turn.objects.count()
        answers = [tester_client.post(path, form | {"key": f"key-{number}"}) for _ in range(2)]
        assert answers[0]["Location"] == answers[1]["Location"], path
        assert Turn.objects.count() == before + 1, path
    assert Conversation.objects.count() == 2


def test_another_testers_key_does_not_lead_to_their_turn(
    colleague_client: Client, model: ScriptedModel, turn: Turn
) -> None:
    form = {"message": "Mine, not theirs", "key": turn.key}
    answer = colleague_client.post("/playground/with/tomasz/begin/", form)
    assert answer.status_code == 422
    assert Conversation.objects.count() == 1


# Talking with JavaScript


def test_with_javascript_the_turn_comes_at_once_and_streams_itself(
    tester_client: Client, model: ScriptedModel, turn: Turn
) -> None:
    async def say() -> Any:
        """In a loop that goes on until every turn has ended."""
        browser = AsyncClient()
        browser.cookies = tester_client.cookies
        answer = await browser.post(at(WRITE[1], turn), {"message": "Do you go back?"}, headers=HTMX)
        await until(lambda: not Turn.objects.running().exists())
        return answer

    answer = asyncio.run(say())
    new = Turn.objects.latest("pk")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "<html" not in page
    assert f'id="turn-{new.pk}"' in page
    assert f'sse-connect="/playground/turns/{new.pk}/events/"' in page
    assert 'sse-close="end"' in page
    assert answer["HX-Push-Url"] == f"/playground/turns/{new.pk}/"
    assert new.key not in page, "the next message needs a key of its own"
    assert fresh(new).state == "done"


# The pages of a turn


def test_a_failed_stage_is_shown_as_failed_and_a_turn_that_runs_has_a_stop_button(
    tester_client: Client, turn: Turn
) -> None:
    turn.stages.filter(name="probe").update(status="failed", error="The vector store does not answer at nowhere.")
    for state, shows_stop in (("assembling", True), ("replying", True), ("failed", False)):
        Turn.objects.filter(pk=turn.pk).update(state=state)
        page = tester_client.get(f"/playground/turns/{turn.pk}/")
        html = page.content.decode()
        assert (at(WRITE[2], turn) in html, at(WRITE[3], turn) in html) == (shows_stop, not shows_stop), state
        assert "The vector store does not answer at nowhere." in text_of(page)
        assert "1 stage failed" in text_of(page)


def test_an_imported_conversation_has_no_turns_and_is_shown_among_its_persons(
    tester_client: Client, tester: User, tomasz: Character
) -> None:
    imported = services.start_conversation(character=tomasz, by=tester, first="Long ago")
    Conversation.objects.filter(pk=imported.pk).update(outside_id="abc")
    answer = tester_client.get(f"/playground/conversations/{imported.pk}/")
    assert answer["Location"] == f"/people/{imported.person_id}/conversations/{imported.pk}/"
    assert tester_client.get(answer["Location"]).status_code == 200
    assert "Long ago" not in text_of(tester_client.get("/playground/"))


def test_a_conversation_that_a_program_holds_is_read_and_not_written_into(
    tester_client: Client, tester: User, tomasz: Character
) -> None:
    bot = Program.objects.create(name="A bot", owner=tester)
    turn = clients.begin(Sent(bot, tomasz, "Hello there", person="7", name="Mark"))
    turn.finish(Turn.State.FAILED, "", error="It was down.")
    page = tester_client.get(f"/playground/turns/{turn.pk}/")
    assert "Mark talks through the program" in text_of(page)
    assert "<textarea" not in page.content.decode()
    assert "Try again" not in text_of(page)
    for path in (WRITE[1], WRITE[3]):
        assert tester_client.post(at(path, turn), {"message": "It's me"}).status_code == 403, path
    assert Turn.objects.count() == 1
    assert "Hello there" not in text_of(tester_client.get("/playground/"))
