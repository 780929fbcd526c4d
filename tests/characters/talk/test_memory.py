"""What a turn leaves to be remembered."""

import pytest
from django.utils import timezone

from characters.conversations import services
from characters.conversations.models import Acquaintance, Message, Person, Turn, TurnMetrics
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from tests.scripted_model import ScriptedModel
from tests.turns import answered, asked, asked_in, evidence, fresh


def remembered(turn: Turn) -> list[tuple[str, int | None, bool]]:
    rows = Message.objects.filter(conversation=turn.conversation).order_by("pk")
    return [(row.role, row.place, row.is_unread) for row in rows]


@pytest.fixture
def kirsten(tomasz: Character) -> Person:
    """A real person, whom no tester plays."""
    return Person.objects.create(namespace="import", outside_id="kirsten", name="Kirsten")


def test_a_live_turn_leaves_its_message_to_be_read_and_both_to_be_projected(
    tester: User, tomasz: Character, model: ScriptedModel
) -> None:
    turn = answered(asked(tester, tomasz, "I have a cat called Luna"))
    assert remembered(turn) == [("user", 1, True), ("assistant", 2, False)]
    assert Job.objects.filter(kind="remember", subject=turn.conversation.person.graph_id).count() == 1
    met = Acquaintance.objects.get(person=turn.conversation.person, character=tomasz)
    assert (met.places, met.trust) == (2, 0.5)
    assert TurnMetrics.objects.filter(turn=turn).exists()
    reasons = {stage.name: stage.reason for stage in turn.stages.all()}
    assert reasons["user_facts"] == "nothing is known about Tester yet"
    elsewhere = answered(asked(tester, tomasz, "I have a dog, too"))
    assert [each[1] for each in remembered(elsewhere)] == [3, 4], "places go on, whatever the conversation"


def test_a_sandbox_reads_a_memory_and_writes_none(
    tester: User, tomasz: Character, kirsten: Person, model: ScriptedModel
) -> None:
    conversation = services.start_conversation(character=tomasz, by=tester, person=kirsten)
    turn = answered(asked_in(conversation, "I have a cat called Luna"))
    assert turn.state == "done"
    assert remembered(turn) == [("user", None, False), ("assistant", None, False)]
    assert not Job.objects.filter(kind="remember").exists()
    assert not Acquaintance.objects.exists()
    follow_up = answered(asked_in(conversation, "And what is her name?"))
    assert follow_up.request["history"] == 2  # within itself a sandbox remembers


def test_what_was_said_is_remembered_without_an_answer_and_the_answer_of_another_try_is_added(
    tester: User, tomasz: Character, model: ScriptedModel
) -> None:
    model.refuses(400)
    turn = answered(asked(tester, tomasz, "I have a cat called Luna"))
    assert turn.state == "failed"
    assert remembered(turn) == [("user", 1, True)]
    Message.objects.filter(pk=turn.message_id).update(facts_read_at=timezone.now())
    answered(services.try_again(turn)[0])
    assert remembered(turn) == [("user", 1, False), ("assistant", 2, False)]


def test_what_was_said_lately_is_carried_to_the_follow_up(
    tester: User, tomasz: Character, model: ScriptedModel
) -> None:
    first = answered(asked(tester, tomasz, "What is your brother called?"))
    used = [f"fact:{fact['id']}" for fact in evidence(first, "background")["used"]]  # type: ignore[attr-defined]
    assert used
    assert fresh(first).carried["shown"] == {item: [1] for item in used}
    second = answered(asked_in(first.conversation, "Thank you, good night"))
    assert set(used) <= fresh(second).carried["shown"].keys()
