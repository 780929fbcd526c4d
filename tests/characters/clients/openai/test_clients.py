"""Real clients before a real web process: the `openai` package and a chat front end's recorded request."""

from threading import Event

import pytest
from openai import AuthenticationError, NotFoundError, OpenAI

from characters.conversations.models import Turn
from tests.scripted_model import ScriptedModel
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
    assert [model.id for model in openai.models.list()] == ["tomasz", "helper"]
    assert openai.models.retrieve("tomasz").owned_by == "kgadmin"
    with pytest.raises(NotFoundError, match="There are: tomasz"):
        openai.models.retrieve("nobody")
    stranger = OpenAI(base_url=f"{web.address}/v1", api_key="kg-wrong", max_retries=0)
    with pytest.raises(AuthenticationError, match="is unknown or was revoked"):
        stranger.models.list()


def test_the_openai_client_gets_a_response_and_goes_on_from_it(openai: OpenAI, web_model: ScriptedModel) -> None:
    web_model.says("My aunt did.", usage=(120, 4)).says("Halina.")
    first = openai.responses.create(
        model="tomasz",
        instructions="Be brief.",
        input="Who taught you?",
        safety_identifier="7",
        temperature=0.3,
        max_output_tokens=50,
        text={"format": {"type": "json_schema", "name": "who", "schema": {"type": "object"}, "strict": True}},
    )
    assert (first.output_text, first.status) == ("My aunt did.", "completed")
    assert first.usage is not None
    assert (first.usage.input_tokens, first.usage.output_tokens) == (120, 4)
    asked = web_model.requests[-1].body
    assert (asked["temperature"], asked["max_tokens"]) == (0.3, 50)
    assert asked["response_format"]["json_schema"] == {"name": "who", "schema": {"type": "object"}, "strict": True}
    assert "<<<\nBe brief.\n>>>" in web_model.requests[-1].prompt
    item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "What is her name?"}]}
    with openai.responses.stream(
        model="tomasz",
        input=[item],  # type: ignore[list-item]
        previous_response_id=first.id,
        safety_identifier="7",
    ) as stream:
        kinds = [event.type for event in stream]
        second = stream.get_final_response()
    assert second.output_text == "Halina."
    assert (kinds[0], kinds[-1]) == ("response.created", "response.completed")
    assert [each["content"] for each in web_model.requests[-1].body["messages"][1:]] == [
        "Who taught you?",
        "My aunt did.",
        "What is her name?",
    ]
    before, after = Turn.objects.order_by("pk")
    assert (after.message.parent, after.conversation.sandbox) == (before.reply, False)
    with pytest.raises(NotFoundError, match="to this person"):  # nobody reads what another one said
        openai.responses.create(model="tomasz", input="And?", previous_response_id=first.id, safety_identifier="8")
    off = openai.responses.with_raw_response.create(
        model="tomasz", input="Hi there", safety_identifier="7", store=False
    )
    assert off.headers["X-Memory"] == "off; this request asked for it"


def test_a_response_that_is_cut_or_breaks_off_says_so(openai: OpenAI, web_model: ScriptedModel) -> None:
    web_model.says("And so", finish="length")
    cut = openai.responses.create(model="tomasz", input="And then?")
    assert (cut.status, cut.incomplete_details and cut.incomplete_details.reason) == ("incomplete", "max_output_tokens")
    web_model.cuts_off_after("Half of ")
    kinds = [event.type for event in openai.responses.create(model="tomasz", input="And then, then?", stream=True)]
    assert kinds[-1] == "response.failed"
