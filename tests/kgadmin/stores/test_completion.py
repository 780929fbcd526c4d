"""Whole answers, against a real HTTP server that fails in every way that endpoints fail."""

import json
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from kgadmin.stores import openai_model
from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import ChatMessage, Completion, CompletionRequest
from kgadmin.stores.openai_model import OpenAIModel, strict
from tests.scripted_model import ScriptedModel

SCHEMA = {"type": "object", "properties": {"results": {"type": "array", "maxItems": 2, "title": "Results"}}}
REQUEST = CompletionRequest(
    messages=(ChatMessage("system", "You classify."), ChatMessage("user", "Hi there")),
    schema_name="relations",
    schema=SCHEMA,
    max_tokens=200,
)


def model_at(server: ScriptedModel, *, timeout: float = 5) -> OpenAIModel:
    return OpenAIModel(base_url=server.base_url, model="scripted", api_key="", timeout=timeout)


def complete(server: ScriptedModel, *, timeout: float = 5) -> Completion:
    return model_at(server, timeout=timeout).complete(REQUEST)


def failure(server: ScriptedModel, *, timeout: float = 5) -> StoreError:
    with pytest.raises(StoreError) as failed:
        complete(server, timeout=timeout)
    return failed.value


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
        model = model_at(scripted_model)
        scripted_model.forget()
        scripted_model.refuses(400, complaint).says("{}").says("{}")
        assert [model.complete(REQUEST).text for _ in range(2)] == ["{}", "{}"]
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
    assert "wasn't complete after 0.1 s" in failure(scripted_model, timeout=0.1).message
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
