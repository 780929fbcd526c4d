"""Against a real HTTP server that fails in every way that endpoints fail."""

import asyncio
import json
import threading
import time
from dataclasses import replace
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from kgadmin.embedded.servers import free_port
from kgadmin.stores import openai_model
from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import ChatMessage, ChatRequest, Completion, CompletionRequest, Grounding, Usage
from kgadmin.stores.openai_model import OpenAIModel, strict
from tests.scripted_model import Answer, ScriptedModel, chunk

REQUEST = ChatRequest(
    messages=(ChatMessage("system", "You are Elena."), ChatMessage("user", "Hi there")),
    grounding=Grounding(speaker="Elena"),
    max_tokens=200,
)


def model_at(base_url: str, *, timeout: float = 5, api_key: str = "") -> OpenAIModel:
    return OpenAIModel(base_url=base_url, model="scripted", api_key=api_key, timeout=timeout)


async def pieces_of(model: OpenAIModel, usage: Usage) -> list[str]:
    return [piece async for piece in model.stream(REQUEST, usage)]


def reply(server: ScriptedModel, *, timeout: float = 5) -> list[str]:
    return asyncio.run(pieces_of(model_at(server.base_url, timeout=timeout), Usage()))


def failure(server: ScriptedModel | str, *, timeout: float = 5) -> StoreError:
    base_url = server if isinstance(server, str) else server.base_url
    with pytest.raises(StoreError) as failed:
        asyncio.run(pieces_of(model_at(base_url, timeout=timeout), Usage()))
    return failed.value


def test_a_piece_is_there_before_the_next_is_said(scripted_model: ScriptedModel) -> None:
    gate = threading.Event()
    scripted_model.says("first", gate, "second")

    async def read() -> list[str]:
        pieces = []
        async for piece in model_at(scripted_model.base_url).stream(REQUEST, Usage()):
            pieces.append(piece)
            gate.set()
        return pieces

    assert asyncio.run(read()) == ["first", "second"]


def test_the_endpoint_gets_model_messages_limit_and_key_and_its_usage_is_noted(scripted_model: ScriptedModel) -> None:
    scripted_model.says("Hello", usage=(321, 7))
    usage = Usage()
    asyncio.run(pieces_of(model_at(scripted_model.base_url, api_key="sesame"), usage))
    assert (usage.prompt_tokens, usage.completion_tokens, usage.truncated) == (321, 7, False)
    sent = scripted_model.requests[0]
    assert sent.body["model"] == "scripted"
    assert sent.body["messages"][1] == {"role": "user", "content": "Hi there"}
    assert (sent.body["max_tokens"], sent.body["stream"]) == (200, True)
    assert sent.headers["authorization"] == "Bearer sesame"


def test_a_reply_that_reached_its_limit_is_a_reply_and_says_so(scripted_model: ScriptedModel) -> None:
    scripted_model.says("The ocean", finish="length")
    usage = Usage()
    assert asyncio.run(pieces_of(model_at(scripted_model.base_url), usage)) == ["The ocean"]
    assert usage.truncated


def test_an_endpoint_that_refuses_an_option_or_calls_it_otherwise_is_asked_so(scripted_model: ScriptedModel) -> None:
    scripted_model.refuses(400, "Unknown parameter: stream_options")
    scripted_model.refuses(400, "'max_tokens' is not supported: use 'max_completion_tokens'").says("Hello")
    assert reply(scripted_model) == ["Hello"]
    assert "stream_options" not in scripted_model.requests[1].body
    assert scripted_model.requests[2].body["max_completion_tokens"] == 200


def test_a_refused_connection_names_the_address() -> None:
    address = f"http://127.0.0.1:{free_port()}/v1"
    error = failure(address)
    assert error.message == f"The language model does not answer at {address}."
    assert error.retryable


def test_silence_ends_at_the_time_out_wherever_it_begins(scripted_model: ScriptedModel) -> None:
    began = time.monotonic()
    for silent in (
        scripted_model.hangs,
        scripted_model.hangs_after,
        lambda: scripted_model.hangs_after("The ocean"),
        lambda: scripted_model.keeps_sending({"choices": []}),  # which is no sign of life
    ):
        silent()
        assert failure(scripted_model, timeout=0.2).message == "The language model said nothing for 0.2 s."
    assert time.monotonic() - began < 4


def test_what_ends_otherwise_than_a_reply_is_an_error_that_says_how(scripted_model: ScriptedModel) -> None:
    for answer, sentence in (
        (Answer(("The ocean",), cut=True), "broke the connection off"),
        (Answer(("The ocean",)), "cut off in the middle"),
        (Answer((chunk(finish_reason="stop"),)), "without any text"),
        (Answer(({"choices": []}, {"choices": []})), "without any text"),
        (Answer(("The ocean", {"error": {"message": "out of memory"}})), "out of memory"),
        (Answer(content_type="text/html", body="<html><body>Welcome</body></html>"), "web page"),
    ):
        scripted_model.then(answer)
        assert sentence in failure(scripted_model).message


def test_a_refusal_says_what_to_do(scripted_model: ScriptedModel) -> None:
    for status, sentence, retryable in (
        (401, "LLM_API_KEY", False),
        (403, "LLM_API_KEY", False),
        (404, "'scripted' is not known", False),
        (400, "refused the request (400)", False),
        (429, "slow down", True),
        (500, "server failed (500)", True),
        (503, "server failed (503)", True),
    ):
        scripted_model.forget()
        scripted_model.refuses(status)
        error = failure(scripted_model)
        assert sentence in error.message
        assert error.retryable is retryable, status
        assert len(scripted_model.requests) == 1, status


def asked_for(name: str, server: ScriptedModel, model: OpenAIModel | None = None, **more: Any) -> Usage:
    usage = Usage()
    request = replace(REQUEST, model=name, **more)

    async def read() -> list[str]:
        return [piece async for piece in (model or model_at(server.base_url)).stream(request, usage)]

    asyncio.run(read())
    return usage


def models_asked(server: ScriptedModel) -> list[str]:
    return [request.body["model"] for request in server.requests]


def test_the_model_that_a_request_names_answers_with_its_parameters(scripted_model: ScriptedModel) -> None:
    options = {"temperature": 0.2, "logit_bias": {"7": -1.0}}
    usage = asked_for("gpt-x", scripted_model, options=options)
    assert (usage.model, usage.missing) == ("gpt-x", "")
    assert usage.parameters == {"max_tokens": 200, "temperature": 0.2}
    assert models_asked(scripted_model) == ["gpt-x"]


def test_where_there_is_no_such_model_the_configured_one_is_asked_once(scripted_model: ScriptedModel) -> None:
    for status, complaint in (
        (404, "The model `gpt-x` does not exist."),
        (400, "gpt-x is not a valid model ID"),
        (422, "Unknown model: gpt-x"),
    ):
        scripted_model.forget()
        scripted_model.refuses(status, complaint).says("Hello")
        usage = asked_for("gpt-x", scripted_model, options={"temperature": 0.2})
        assert (usage.model, usage.missing, usage.left_out) == ("scripted", "gpt-x", ()), complaint
        assert models_asked(scripted_model) == ["gpt-x", "scripted"], complaint
    scripted_model.forget()
    scripted_model.refuses(404).refuses(404)
    with pytest.raises(StoreError, match="'scripted' is not known"):
        asked_for("gpt-x", scripted_model)
    assert models_asked(scripted_model) == ["gpt-x", "scripted"]


def test_what_fails_otherwise_is_not_answered_by_another_model(scripted_model: ScriptedModel) -> None:
    scripted_model.refuses(400, "gpt-x: temperature is not supported").says("Hello")
    usage = asked_for("gpt-x", scripted_model, options={"temperature": 0.2})
    assert (usage.model, usage.missing, usage.left_out) == ("gpt-x", "", ("temperature",))
    scripted_model.refuses(503, "gpt-x is not available")
    with pytest.raises(StoreError, match="server failed"):
        asked_for("gpt-x", scripted_model)
    assert models_asked(scripted_model) == ["gpt-x"] * 3


def test_a_model_that_the_list_lacks_is_not_asked_and_no_call_waits_for_the_list(
    scripted_model: ScriptedModel,
) -> None:
    scripted_model.lists("scripted", "llama3:latest")
    model = model_at(scripted_model.base_url)
    assert model.models(wait=5).names == ("llama3:latest", "scripted")
    assert asked_for("gpt-x", scripted_model, model).missing == "gpt-x"
    assert asked_for("llama3", scripted_model, model).missing == ""  # Ollama adds the tag
    assert models_asked(scripted_model) == ["scripted", "llama3"]
    scripted_model.page = replace(scripted_model.page, before=threading.Event())
    assert asked_for("gpt-x", scripted_model).model == "gpt-x"


def test_a_list_that_cannot_be_read_is_a_sentence(scripted_model: ScriptedModel) -> None:
    for body, names in (
        ('[{"id": "b"}, {"id": "a"}, {"id": 7}, "c"]', ("a", "b")),
        ('{"data": {}}', ()),
        ("7", ()),
        ("<html>", ()),
    ):
        scripted_model.page = Answer(body=body)
        listed = model_at(scripted_model.base_url).models(wait=5)
        assert (listed.names, bool(listed.problem)) == (names, not names), body
    scripted_model.page = Answer(status=404, body="[]")
    assert model_at(scripted_model.base_url).models(wait=5).problem == "The endpoint doesn’t list its models."
    nowhere = model_at(f"http://127.0.0.1:{free_port()}/v1").models(wait=5)
    assert nowhere.problem == "The endpoint doesn’t answer, so its models can’t be listed."


def test_where_an_endpoint_leads_to_another_address_no_prompt_goes(scripted_model: ScriptedModel) -> None:
    with ScriptedModel() as other:
        scripted_model.redirects(f"{other.base_url}/chat/completions")
        assert "leads to another one (307)" in failure(scripted_model).message
        assert other.requests == []


def test_a_cancelled_task_closes_the_connection(scripted_model: ScriptedModel) -> None:
    scripted_model.hangs()

    async def start_and_cancel() -> None:
        task = asyncio.create_task(pieces_of(model_at(scripted_model.base_url), Usage()))
        while not scripted_model.requests:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(start_and_cancel())
    assert scripted_model.hung_up.wait(2)


def test_neither_the_key_nor_a_login_in_the_address_is_told(scripted_model: ScriptedModel) -> None:
    model = model_at(scripted_model.base_url, api_key="my-own-key")
    for status in (400, 401, 403, 404, 422, 429):
        scripted_model.refuses(status, "The key my-own-key is wrong")
        with pytest.raises(StoreError) as failed:
            asyncio.run(pieces_of(model, Usage()))
        assert "my-own-key" not in failed.value.message, status
    address = f"http://me:my-own-words@127.0.0.1:{free_port()}/v1"
    assert "my-own-words" not in failure(address).message
    assert "does not answer at http://127.0.0.1" in failure(address).message


SCHEMA = {"type": "object", "properties": {"results": {"type": "array", "maxItems": 2, "title": "Results"}}}
QUESTION = CompletionRequest(
    messages=(ChatMessage("system", "You classify."), ChatMessage("user", "Hi there")),
    schema_name="relations",
    schema=SCHEMA,
    max_tokens=200,
)


def complete(server: ScriptedModel, *, timeout: float = 5) -> Completion:
    return model_at(server.base_url, timeout=timeout).complete(QUESTION)


def test_the_whole_answer_comes_with_its_usage(scripted_model: ScriptedModel) -> None:
    scripted_model.says('{"results"', ": []}", usage=(321, 7))
    answer = complete(scripted_model)
    assert answer.text == '{"results": []}'
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (321, 7)


def test_the_schema_is_enforced_where_it_can_be_and_told_in_any_case(scripted_model: ScriptedModel) -> None:
    complete(scripted_model)
    sent = scripted_model.requests[0].body
    asked = sent["response_format"]["json_schema"]
    assert (asked["name"], asked["strict"], sent["temperature"]) == ("relations", True, 0)
    assert asked["schema"]["required"] == ["results"]
    assert sent["messages"][0]["content"].startswith("You classify.")
    assert json.dumps(SCHEMA) in sent["messages"][0]["content"]
    assert sent["messages"][1] == {"role": "user", "content": "Hi there"}


def test_an_endpoint_that_refuses_schemas_is_asked_without_from_then_on(scripted_model: ScriptedModel) -> None:
    for complaint in ("response_format is not supported", "failed to parse grammar"):
        model = model_at(scripted_model.base_url)
        scripted_model.forget()
        scripted_model.refuses(400, complaint).says("{}").says("{}")
        assert [model.complete(QUESTION).text for _ in range(2)] == ["{}", "{}"]
        sent = ["response_format" in request.body for request in scripted_model.requests]
        assert sent == [True, False, False], complaint


def test_an_endpoint_that_refuses_a_temperature_is_asked_without(scripted_model: ScriptedModel) -> None:
    scripted_model.refuses(400, "temperature does not support 0 with this model").says("{}")
    assert complete(scripted_model).text == "{}"
    assert "temperature" not in scripted_model.requests[1].body
    assert "response_format" in scripted_model.requests[1].body


def test_an_answer_without_an_end_ends(scripted_model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_model, "FULL_ANSWER", 1)
    scripted_model.keeps_sending("more ")
    with pytest.raises(StoreError, match=r"wasn't complete after 0\.1 s"):
        complete(scripted_model, timeout=0.1)
    assert scripted_model.hung_up.wait(2)


class Item(BaseModel):
    title: str = Field(max_length=20)
    kind: Literal["a", "b"] = "a"


class Items(BaseModel):
    items: list[Item] = Field(max_length=3)


def test_bounds_that_endpoints_refuse_are_left_out_and_the_others_stay() -> None:
    schema = strict(Items.model_json_schema())
    assert schema["properties"]["items"]["maxItems"] == 3
    assert schema["$defs"]["Item"]["properties"] == {
        "title": {"type": "string"},
        "kind": {"enum": ["a", "b"], "type": "string"},
    }
