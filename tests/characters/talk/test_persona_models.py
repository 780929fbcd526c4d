"""A persona's model answers its turns with its parameters; without it, LLM_MODEL does, and the trace says so."""

import threading
from dataclasses import replace
from typing import Any

from django.test import Client

from characters.conversations.models import Turn
from characters.profiles import services as profiles
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.stores import wiring
from tests import invented
from tests.scripted_model import ScriptedModel
from tests.turns import answered, asked, evidence


def say(tester: User, tomasz: Character, **named: Any) -> Turn:
    """A turn whose persona, the default one, names a model."""
    bench = replace(invented.TOMASZ.personas[0], **named)
    profiles.publish(tomasz, sheet=replace(invented.TOMASZ, personas=(bench,)), by=None)
    return answered(asked(tester, tomasz))


def trace(client: Client, turn: Turn) -> str:
    return " ".join(client.get(f"/playground/turns/{turn.pk}/").content.decode().split())


def test_its_model_is_asked_with_its_parameters(
    model: ScriptedModel, tester: User, tester_client: Client, tomasz: Character
) -> None:
    model.lists("scripted", "gpt-x")
    turn = say(tester, tomasz, model="gpt-x", temperature=0.0, top_p=0.5, max_tokens=300)
    sent = model.requests[0].body
    assert (sent["model"], sent["temperature"], sent["top_p"], sent["max_tokens"]) == ("gpt-x", 0.0, 0.5, 300)
    assert (turn.model, evidence(turn, "reply")["missing"]) == ("gpt-x", "")
    page = trace(tester_client, turn)
    assert "It asks gpt-x with temperature 0.0, top_p 0.5, max_tokens 300." in page
    assert "Asked with max_tokens 300, temperature 0.0, top_p 0.5." in page


def test_a_reply_is_never_longer_than_what_the_window_keeps_for_it(
    model: ScriptedModel, tester: User, tomasz: Character
) -> None:
    turn = say(tester, tomasz, max_tokens=8_000)
    assert (model.requests[0].body["model"], model.requests[0].body["max_tokens"]) == ("scripted", 800)
    assert turn.prompt["reply_tokens"] == 800


def test_one_that_is_not_offered_is_named_and_the_usual_one_answers(
    model: ScriptedModel, tester: User, tester_client: Client, tomasz: Character
) -> None:
    model.lists()
    model.refuses(404, "The model `gpt-x` does not exist.").says("Good evening.")
    turn = say(tester, tomasz, model="gpt-x", temperature=0.4)
    assert (turn.state, turn.text, turn.model) == ("done", "Good evening.", "scripted")
    assert [request.body["model"] for request in model.requests] == ["gpt-x", "scripted"]
    page = trace(tester_client, turn)
    assert "“gpt-x” isn’t offered by the endpoint; LLM_MODEL answered." in page
    assert "scripted, in place of gpt-x" in page


def test_a_turn_begins_to_ask_for_the_list_and_the_next_one_has_it(
    model: ScriptedModel, tester: User, tomasz: Character
) -> None:
    gate = threading.Event()
    model.page = replace(model.page, before=gate)
    assert say(tester, tomasz, model="gpt-x").model == "gpt-x"
    gate.set()
    assert wiring.language_model().models(wait=10).names == ("scripted",)
    assert say(tester, tomasz, model="gpt-x").model == "scripted"
    assert [request.body["model"] for request in model.requests] == ["gpt-x", "scripted"]
