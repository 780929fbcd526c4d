"""Real clients before a real web process: the `openai` package and a chat front end's recorded request."""

from threading import Event

import pytest
from openai import AuthenticationError, NotFoundError, OpenAI

from characters.conversations.models import Turn
from tests.scripted_model import ScriptedModel
from tests.turns import fresh
from tests.web import WebServer

pytestmark = pytest.mark.xdist_group("web process")


@pytest.fixture
def openai(web: WebServer, web_model: ScriptedModel, key: str) -> OpenAI:
    return OpenAI(base_url=f"{web.address}/v1", api_key=key, max_retries=0, timeout=30)


def test_the_openai_client_gets_a_whole_reply(openai: OpenAI, web_model: ScriptedModel) -> None:
    web_model.says("I blow glass.", usage=(120, 4))
    answer = openai.chat.completions.with_raw_response.create(
        model="tomasz", messages=[{"role": "user", "content": "What do you do all day?"}], user="7"
    )
    reply = answer.parse()
    assert reply.choices[0].message.content == "I blow glass."
    assert reply.choices[0].finish_reason == "stop"
    assert reply.model == "tomasz"
    assert reply.usage is not None
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.total_tokens) == (120, 4, 124)
    turn = Turn.objects.get(pk=answer.headers["X-Turn-Id"])
    assert turn.text == "I blow glass."
    assert answer.headers["X-Trace-Url"].endswith(f"/playground/turns/{turn.pk}/")


def test_the_openai_client_streams(openai: OpenAI, web_model: ScriptedModel) -> None:
    gate = Event()
    web_model.says("I blow", gate, " glass.", usage=(120, 4))
    stream = openai.chat.completions.create(
        model="tomasz",
        messages=[{"role": "user", "content": "What do you do all day?"}],
        stream=True,
        stream_options={"include_usage": True},
    )
    text = ""
    for chunk in stream:
        if chunk.choices:
            text += chunk.choices[0].delta.content or ""
        if text == "I blow":
            gate.set()
        last = chunk
    assert text == "I blow glass."
    assert last.usage is not None
    assert last.usage.total_tokens == 124


def test_the_openai_client_lists_the_characters_and_knows_the_errors(openai: OpenAI, web: WebServer) -> None:
    assert [model.id for model in openai.models.list()] == ["tomasz"]
    assert openai.models.retrieve("tomasz").owned_by == "kgadmin"
    with pytest.raises(NotFoundError, match="There are: tomasz"):
        openai.models.retrieve("nobody")
    stranger = OpenAI(base_url=f"{web.address}/v1", api_key="kg-wrong", max_retries=0)
    with pytest.raises(AuthenticationError, match="is unknown or was revoked"):
        stranger.models.list()


SILLYTAVERN = {
    "messages": [
        {"role": "system", "content": "Write Tomasz's next reply in a fictional chat between Tomasz and Mark."},
        {"role": "system", "content": "[Start a new Chat]"},
        {"role": "assistant", "content": "*looks up from the furnace* Mind the pipe."},
        {"role": "user", "content": "Who taught you to hold it?"},
        {"role": "system", "content": "Keep it under three sentences."},
    ],
    "model": "tomasz",
    "temperature": 0.9,
    "max_tokens": 300,
    "stream": True,
    "logit_bias": {},
    "stop": ["\nMark:"],
    "chat_completion_source": "custom",
    "char_name": "Tomasz",
    "include_reasoning": False,
}
"""What SillyTavern's chat completion source "custom" sends: its roles, and some of its many fields."""


def test_a_request_of_sillytavern_is_answered(
    openai: OpenAI, web: WebServer, web_model: ScriptedModel, key: str
) -> None:
    web_model.says("My aunt did.")
    answer = openai.post(
        "/chat/completions", body=SILLYTAVERN, cast_to=object, options={"headers": {"X-Person-Id": "m"}}
    )
    assert answer is not None
    turn = Turn.objects.get()
    assert fresh(turn).text == "My aunt did."
    assert turn.conversation.person.outside_id == "m"
    asked = web_model.requests[0].body
    assert (asked["temperature"], asked["max_tokens"], asked["stop"]) == (0.9, 300, ["\nMark:"])
    system, greeting, message = asked["messages"]
    assert "Keep it under three sentences." in system["content"]
    assert greeting == {"role": "assistant", "content": "*looks up from the furnace* Mind the pipe."}
    assert message == {"role": "user", "content": "Who taught you to hold it?"}
