"""What a turn leaves to be remembered."""

import pytest

from characters.conversations import services
from characters.conversations.models import Acquaintance, Message, Person, Turn
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from tests.scripted_model import ScriptedModel
from tests.talking import answered, asked, asked_in, evidence, fresh


def remembered(turn: Turn) -> list[tuple[str, int | None, bool, bool]]:
    rows = Message.objects.filter(conversation=turn.conversation).order_by("pk")
    return [(row.role, row.place, row.unread, row.stale) for row in rows]


@pytest.fixture
def kirsten(tomasz: Character) -> Person:
    """A real person, whom no tester plays."""
    return Person.objects.create(namespace="import", outside_id="kirsten", name="Kirsten")


def test_a_live_turn_leaves_its_message_to_be_read_and_both_to_be_projected(
    tester: User, tomasz: Character, model: ScriptedModel
) -> None:
    turn = answered(asked(tester, tomasz, "I have a cat called Luna"))
    assert remembered(turn) == [("user", 1, True, True), ("assistant", 2, False, True)]
    assert Job.objects.filter(kind="remember", subject=turn.conversation.person.graph_id).count() == 1
    met = Acquaintance.objects.get(person=turn.conversation.person, character=tomasz)
    assert met.places == 2
    assert met.trust == 0.5


def test_places_go_on_in_the_order_of_the_turns(tester: User, tomasz: Character, model: ScriptedModel) -> None:
    first = answered(asked(tester, tomasz, "One"))
    second = answered(asked(tester, tomasz, "Two"))
    answered(asked_in(first.conversation, "Three"))
    places = Message.objects.filter(place__isnull=False).order_by("place").values_list("text", flat=True)
    assert [text for text in places if text != model.otherwise] == ["One", "Two", "Three"]
    assert [each[1] for each in remembered(second)] == [3, 4]


def test_a_sandbox_reads_a_memory_and_writes_none(
    tester: User, tomasz: Character, kirsten: Person, model: ScriptedModel
) -> None:
    conversation = services.start_conversation(character=tomasz, by=tester, person=kirsten)
    assert conversation.sandbox
    turn = answered(asked_in(conversation, "I have a cat called Luna"))
    assert turn.state == "done"
    assert remembered(turn) == [("user", None, False, False), ("assistant", None, False, False)]
    assert not Job.objects.filter(kind="remember").exists()
    assert not Acquaintance.objects.exists()
    follow_up = answered(asked_in(conversation, "And what is her name?"))
    assert follow_up.request["history"] == 2  # within itself a sandbox remembers


def test_who_plays_a_shared_test_person_is_remembered(tester: User, tomasz: Character, model: ScriptedModel) -> None:
    mark = Person.objects.create(namespace="tester:all", outside_id="mark", name="Mark")
    conversation = services.start_conversation(character=tomasz, by=tester, person=mark)
    assert not conversation.sandbox
    assert remembered(answered(asked_in(conversation, "I have a cat called Luna")))[0] == ("user", 1, True, True)


def test_somebody_elses_test_person_is_a_sandbox(tester: User, operator: User, tomasz: Character) -> None:
    theirs = services.person_of_tester(operator)
    assert services.start_conversation(character=tomasz, by=tester, person=theirs).sandbox


def test_what_was_said_is_remembered_even_if_no_answer_came(
    tester: User, tomasz: Character, model: ScriptedModel
) -> None:
    model.refuses(400)
    turn = answered(asked(tester, tomasz, "I have a cat called Luna"))
    assert turn.state == "failed"
    assert remembered(turn) == [("user", 1, True, True)]


def test_trying_again_remembers_the_new_answer_and_reads_the_message_once(
    tester: User, tomasz: Character, model: ScriptedModel
) -> None:
    model.refuses(400)
    turn = answered(asked(tester, tomasz, "I have a cat called Luna"))
    Message.objects.filter(pk=turn.message_id).update(unread=False)
    retried, _ = services.try_again(turn)
    answered(retried)
    assert remembered(turn) == [("user", 1, False, True), ("assistant", 2, False, True)]


def test_a_reflex_command_is_not_remembered(tester: User, tomasz: Character, model: ScriptedModel) -> None:
    turn = answered(asked(tester, tomasz, "help"))
    assert remembered(turn) == [("user", None, False, False), ("assistant", None, False, False)]


def test_what_was_said_lately_is_carried_to_the_follow_up(
    tester: User, tomasz: Character, model: ScriptedModel
) -> None:
    first = answered(asked(tester, tomasz, "What is your brother called?"))
    used = [f"fact:{fact['id']}" for fact in evidence(first, "background")["used"]]  # type: ignore[attr-defined]
    assert used
    assert fresh(first).carried["said"] == {item: [1] for item in used}
    second = answered(asked_in(first.conversation, "Thank you, good night"))
    assert set(used) <= fresh(second).carried["said"].keys()


def test_nobody_known_is_said_in_the_trace(tester: User, tomasz: Character, model: ScriptedModel) -> None:
    turn = answered(asked(tester, tomasz, "Does the harbour freeze in January?"))
    reasons = {stage.name: stage.reason for stage in turn.stages.all()}
    assert reasons["user_facts"] == "nothing is known of Tester yet"
    assert reasons["ambient"] == "the message names nothing that is known"
    assert reasons["memory"] == "Tester has said nothing before"
