"""Under a turn: what its message taught, once it has been read."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from characters.conversations import services
from characters.conversations.models import Message, Person, Turn
from characters.memory.models import Entity, Evidence, UserFact
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from tests.playground.chat.test_views import HTMX, text_of
from tests.turns import asked_in

MOVED = "I've moved to Portland, and Luna got a brother called Sol"


@pytest.fixture
def turn(tester: User, mark: Person, resting: Character) -> Turn:
    """A whole turn, remembered and not read yet."""
    return remembered(services.start_conversation(character=resting, by=tester, person=mark), MOVED)


def remembered(conversation: object, text: str) -> Turn:
    turn = asked_in(conversation, text)  # type: ignore[arg-type]
    turn.finish(Turn.State.DONE, "Good to hear.")
    services.enqueue_for_memory(conversation=turn.conversation, messages=[turn.message])
    return turn


def fact(
    turn: Turn, predicate: str, text: str, *, subject: str = "", first: Message | None = None, **more: object
) -> UserFact:
    """A fact that a message says; with `first` an earlier message said it before."""
    person, character, at = turn.conversation.person, turn.conversation.character, turn.message.at
    names = [
        Entity.objects.get_or_create(person=person, key=name.lower(), defaults={"name": name})[0]
        for name in ([subject] if subject else []) + [text]
    ]
    row = UserFact.objects.create(
        person=person,
        character=character,
        subject=names[0] if subject else None,
        predicate=predicate,
        object=names[-1],
        text=text,
        confidence=0.9,
        origin="pattern",
        first_seen=at,
        last_seen=at,
        **more,
    )
    for message in (turn.message, first):
        if message:
            Evidence.objects.create(fact=row, message=message, start=0, end=4)
    return row


def read(turn: Turn) -> None:
    Message.objects.filter(pk=turn.message_id).update(facts_read_at=timezone.now())


def line(client: Client, turn: Turn) -> str:
    """The line as it stands under the turn, and alone."""
    alone = text_of(client.get(f"/playground/turns/{turn.pk}/learned/"))
    assert alone in text_of(client.get(f"/playground/turns/{turn.pk}/article/"))
    assert alone in text_of(client.get(f"/playground/conversations/{turn.conversation.pk}/"))
    return alone


def test_while_a_message_is_unread_the_page_asks_every_second_and_nothing_changes(
    tester_client: Client, turn: Turn
) -> None:
    address = f"/playground/turns/{turn.pk}/learned/"
    page = tester_client.get(f"/playground/turns/{turn.pk}/article/").content.decode()
    assert (f'hx-get="{address}"' in page, 'hx-trigger="every 1s"' in page) == (True, True)
    assert tester_client.get(address, headers=HTMX).status_code == 204
    assert line(tester_client, turn) == "Being checked for statements about Mark."


def test_once_it_is_read_the_line_says_what_was_learned_and_asks_no_more(tester_client: Client, turn: Turn) -> None:
    fact(turn, "LIVES_IN", "Portland")
    fact(turn, "HAS_BROTHER", "Sol", subject="Luna")
    read(turn)
    answer = tester_client.get(f"/playground/turns/{turn.pk}/learned/", headers=HTMX)
    assert "every 1s" not in answer.content.decode()
    assert f'href="/people/{turn.conversation.person_id}/?character=tomasz"' in answer.content.decode()
    assert line(tester_client, turn).startswith("Learned: Mark lives in Portland; Luna's brother is Sol.")


def test_what_a_message_ended_is_said_too_and_what_was_said_before_is_not_news(
    tester_client: Client, turn: Turn
) -> None:
    before = turn.message.at - timedelta(days=90)
    seattle = fact(turn, "LIVES_IN", "Seattle", state="closed", closed_at=turn.message.at)
    seattle.evidence.all().delete()
    UserFact.objects.filter(pk=seattle.pk).update(first_seen=before, last_seen=before)
    later = remembered(turn.conversation, "Still in Portland, by the way")
    fact(later, "LIVES_IN", "Portland", first=turn.message)
    read(turn)
    read(later)
    line_text = "Learned: Mark lives in Portland. No longer true: Mark lives in Seattle."
    assert line(tester_client, turn).startswith(line_text)
    assert line(tester_client, later) == ""


def test_a_message_that_cannot_be_read_says_why_and_is_not_asked_for_again(tester_client: Client, turn: Turn) -> None:
    Job.objects.filter(kind="remember").update(state="failed", error="The language model refused the key.")
    page = tester_client.get(f"/playground/turns/{turn.pk}/article/").content.decode()
    assert "every 1s" not in page
    assert "Not checked for statements about Mark: The language model refused the key." in line(tester_client, turn)
    Job.objects.all().delete()
    assert line(tester_client, turn) == "Being checked for statements about Mark."


def test_what_another_character_learned_does_not_show(tester_client: Client, tester: User, turn: Turn) -> None:
    other = Character.objects.create(
        slug="dotty", name="Dotty", live_revision=turn.conversation.character.live_revision
    )
    row = fact(turn, "LIVES_IN", "Portland")
    UserFact.objects.filter(pk=row.pk).update(character=other)
    read(turn)
    assert line(tester_client, turn) == ""
