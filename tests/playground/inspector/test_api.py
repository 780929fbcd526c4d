import pytest
from django.test import Client

from characters.conversations.models import Turn
from characters.profiles.models import Character
from characters.turn.trace import STAGES
from kgadmin.accounts.models import User
from tests.rest import get
from tests.scripted_model import ScriptedModel
from tests.turns import answered, asked


@pytest.fixture
def turn(model: ScriptedModel, tester: User, tomasz: Character) -> Turn:
    model.says("A travelling glassblower, at the fair.")
    return answered(asked(tester, tomasz, "Who taught you to hold the pipe?"))


def test_a_turn_says_what_was_said_what_each_stage_did_and_the_prompt(
    tester_client: Client, turn: Turn, model: ScriptedModel
) -> None:
    document = get(tester_client, f"/turns/{turn.pk}")
    assert (document["id"], document["character"], document["person"]) == (turn.pk, "tomasz", "Tester")
    assert document["message"] == "Who taught you to hold the pipe?"
    assert (document["reply"], document["state"]) == ("A travelling glassblower, at the fair.", "done")
    assert [stage["name"] for stage in document["stages"]] == list(STAGES)
    skipped = next(stage for stage in document["stages"] if stage["status"] == "skipped")
    assert skipped["reason"]
    used = next(stage for stage in document["stages"] if stage["name"] == "background")["evidence"]["used"]
    assert any("travelling glassblower" in fact["sentence"] for fact in used)
    prompt = document["prompt"]
    assert prompt["text"] == "\n\n".join(section["text"] for section in prompt["sections"] if section["text"])
    assert prompt["tokens"] == sum(section["tokens"] for section in prompt["sections"])
    assert prompt["sections"][-1]["text"] == turn.message.text
    system = model.requests[0].body["messages"][0]["content"]
    assert all(section["text"] in system for section in prompt["sections"][:-1])


def test_a_turn_that_has_only_begun_is_readable(
    tester_client: Client, model: ScriptedModel, tester: User, tomasz: Character
) -> None:
    document = get(tester_client, f"/turns/{asked(tester, tomasz).pk}")
    assert (document["state"], document["reply"], document["total_ms"]) == ("assembling", "", None)
    assert (document["stages"], document["prompt"]) == ([], {"text": "", "tokens": 0, "sections": []})


def test_a_turn_whose_process_is_gone_is_interrupted_and_a_failed_stage_says_its_error(
    tester_client: Client, turn: Turn
) -> None:
    Turn.objects.filter(pk=turn.pk).update(state="replying", heartbeat_at="2020-01-01T00:00:00Z")
    turn.stages.filter(name="probe").update(status="failed", error="The vector store does not answer.")
    document = get(tester_client, f"/turns/{turn.pk}")
    assert document["state"] == "interrupted"
    stage = document["stages"][0]
    assert (stage["status"], stage["error"]) == ("failed", "The vector store does not answer.")
