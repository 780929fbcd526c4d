"""Talking through the API: here and now where somebody waits, and to a real web process where nobody does."""

import time
from collections.abc import Iterator

import httpx
import pytest
from django.test import Client

from characters.conversations import services
from characters.conversations.models import Conversation, Message, Person, Turn
from characters.profiles.models import Character
from characters.turn.trace import STAGES
from kgadmin.accounts.keys import client_named, create_key
from kgadmin.accounts.models import User
from tests.rest import call, get
from tests.scripted_model import ScriptedModel
from tests.turns import PATIENCE_SECONDS, answered, asked
from tests.web import WebServer

HELLO = {"character": "tomasz", "message": "Good evening to you"}


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


def test_a_conversation_is_started_and_gone_on_with(tester_client: Client, model: ScriptedModel) -> None:
    model.says("Good evening.").says("I blow glass.")
    started = call(tester_client, "POST", "/conversations", HELLO)
    assert (started.status, started.body["reply"], started.body["state"]) == (201, "Good evening.", "done")
    path = f"/conversations/{started.body['conversation']}"
    answer = call(tester_client, "POST", f"{path}/turns", {"message": "What do you do?"})
    assert (answer.status, answer.body["reply"]) == (201, "I blow glass.")
    assert get(tester_client, f"/turns/{answer.body['id']}")["reply"] == "I blow glass."
    texts = [HELLO["message"], "Good evening.", "What do you do?", "I blow glass."]
    assert [each["text"] for each in get(tester_client, f"{path}/messages")["items"]] == texts
    ids = [started.body["id"], answer.body["id"]]
    assert [each["id"] for each in get(tester_client, f"{path}/turns")["items"]] == ids
    (listed,) = get(tester_client, "/conversations?character=tomasz")["items"]
    assert (listed["title"], listed["sandbox"]) == (HELLO["message"], False)
    assert get(tester_client, path) == listed


def test_the_same_idempotency_key_says_it_once(tester_client: Client, model: ScriptedModel) -> None:
    model.says("Good evening.")
    headers = {"Idempotency-Key": "first"}
    started = call(tester_client, "POST", "/conversations", HELLO, **headers)
    assert call(tester_client, "POST", "/conversations", HELLO, **headers).body == started.body
    other = call(tester_client, "POST", "/conversations", HELLO | {"message": "And to you"}, **headers)
    assert (other.status, "Use a new one" in other.detail) == (409, True)
    path = f"/conversations/{started.body['conversation']}/turns"
    model.says("I blow glass.")
    answer = [
        call(tester_client, "POST", path, {"message": "Work?"}, **{"Idempotency-Key": "2"}).body for _ in range(2)
    ]
    assert answer[0] == answer[1]
    assert (Conversation.objects.count(), Turn.objects.count(), len(model.requests)) == (1, 2, 2)


def test_two_testers_may_use_the_same_idempotency_key(tester_client: Client, admin: User, model: ScriptedModel) -> None:
    model.says("Good evening.")
    model.says("Good evening.")
    other = Client()
    other.force_login(admin)
    headers = {"Idempotency-Key": "first"}
    ids = {call(client, "POST", "/conversations", HELLO, **headers).body["id"] for client in (tester_client, other)}
    assert len(ids) == 2


def test_what_cant_be_said_is_refused_and_leaves_nothing(tester_client: Client, resting: Character) -> None:
    cases: list[tuple[object, int]] = [
        (HELLO | {"message": " "}, 422),
        (HELLO | {"message": "x" * 8_001}, 422),
        (HELLO | {"message": "a\0b"}, 422),
        (HELLO | {"character": "nobody"}, 404),
        (HELLO | {"person": 999}, 404),
        (HELLO | {"mood": "good"}, 422),
        ({"message": "Hi"}, 422),
    ]
    for body, status in cases:
        assert call(tester_client, "POST", "/conversations", body).status == status, body
    assert (Conversation.objects.count(), Message.objects.count()) == (0, 0)


def test_a_stopped_turn_can_be_tried_again(tester_client: Client, turn: Turn, model: ScriptedModel) -> None:
    assert call(tester_client, "POST", f"/turns/{turn.pk}/stop").status == 200
    model.says("Good morning.")
    again = call(tester_client, "POST", f"/turns/{turn.pk}/again")
    assert (again.status, again.body["reply"], again.body["message"]) == (201, "Good morning.", turn.message.text)
    assert call(tester_client, "POST", f"/turns/{turn.pk}/again").body == again.body


def test_conversations_of_other_testers_are_listed_where_asked_for(
    turn: Turn, tester_client: Client, author: User
) -> None:
    Conversation.objects.update(owner=author)
    assert get(tester_client, "/conversations")["total"] == 0
    assert get(tester_client, "/conversations?everybody=true")["total"] == 1
    assert call(tester_client, "POST", f"/turns/{turn.pk}/stop").status == 403


def test_test_people_and_real_ones_are_listed(tester_client: Client, tester: User) -> None:
    mark = Person.objects.create(namespace="import", outside_id="mark", name="Mark")
    mia = services.new_test_person(name="Mia", by=tester)
    listed = get(tester_client, "/talking-as")
    assert {"id": mia.pk, "name": "Mia"} in listed["test_people"]
    assert listed["real_people"] == [{"id": mark.pk, "name": "Mark"}]
    assert get(tester_client, "/talking-as?q=nobody")["real_people"] == []


@pytest.fixture
def program(web: WebServer, web_model: ScriptedModel, tester: User) -> Iterator[httpx.Client]:
    """A program with a key, before a real web process."""
    _, text = create_key(client_named("A script", by=tester), scopes=["read", "write"], a_minute=10_000, by=None)
    headers = {"Authorization": f"Bearer {text}"}
    with httpx.Client(base_url=f"{web.address}/api", headers=headers, timeout=30, trust_env=False) as client:
        yield client


@pytest.mark.xdist_group("web process")
def test_a_program_that_does_not_wait_polls_for_the_end(program: httpx.Client, web_model: ScriptedModel) -> None:
    web_model.says("Good evening.")
    started = program.post("/conversations?wait=false", json=HELLO)
    assert (started.status_code, started.json()["state"]) == (201, "assembling")
    deadline = time.monotonic() + PATIENCE_SECONDS
    turn = started.json()
    while turn["state"] in {"assembling", "replying"}:
        assert time.monotonic() < deadline, "the reply never ended"
        turn = program.get(f"/turns/{turn['id']}").json()
    assert (turn["reply"], turn["state"]) == ("Good evening.", "done")


@pytest.mark.xdist_group("web process")
def test_who_sends_the_same_key_meanwhile_waits_for_the_same_reply(
    program: httpx.Client, web_model: ScriptedModel
) -> None:
    web_model.says("Good evening.")
    headers = {"Idempotency-Key": "once"}
    first = program.post("/conversations?wait=false", json=HELLO, headers=headers).json()
    second = program.post("/conversations", json=HELLO, headers=headers).json()
    assert (second["id"], second["reply"], second["state"]) == (first["id"], "Good evening.", "done")
    assert len(web_model.requests) == 1
