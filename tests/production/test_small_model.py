"""The language model's transport against a real server of another make: whether it speaks what real servers speak."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import aclosing

import pytest

from kgadmin.stores.language_model import ChatMessage, ChatRequest, CompletionRequest, Grounding, Usage
from kgadmin.stores.openai_model import OpenAIModel
from tests.small_model import SmallModel

pytestmark = [pytest.mark.production, pytest.mark.xdist_group("small model"), pytest.mark.timeout(180)]

MESSAGES = (ChatMessage("system", "You are Elena."), ChatMessage("user", "Say hello to Mark."))
SCHEMA = {
    "type": "object",
    "properties": {"relation": {"type": "string", "enum": ["Causal", "Contrast"]}},
    "required": ["relation"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallModel]:
    model = SmallModel(tmp_path_factory.mktemp("model"))
    model.start()
    yield model
    model.stop()


@pytest.fixture
def model(server: SmallModel) -> OpenAIModel:
    return OpenAIModel(base_url=server.base_url, model="small", api_key="", timeout=60)


def request(max_tokens: int, *messages: ChatMessage) -> ChatRequest:
    return ChatRequest(messages or MESSAGES, Grounding(speaker="Elena"), max_tokens=max_tokens)


def pieces(model: OpenAIModel, asked: ChatRequest, usage: Usage) -> list[str]:
    async def read() -> list[str]:
        async with aclosing(model.stream(asked, usage)) as stream:
            return [piece async for piece in stream]

    return asyncio.run(read())


def test_a_reply_comes_in_pieces_with_its_usage(model: OpenAIModel) -> None:
    usage = Usage()
    reply = pieces(model, request(40), usage)
    assert len(reply) > 1
    assert "".join(reply).strip()
    assert usage.prompt_tokens
    assert usage.completion_tokens


def test_an_answer_keeps_to_its_schema(model: OpenAIModel) -> None:
    messages = (ChatMessage("user", "How does “I missed the bus, so I am late” relate?"),)
    asked = CompletionRequest(messages, schema_name="relation", schema=SCHEMA, max_tokens=60)
    answer = model.complete(asked)
    assert json.loads(answer.text)["relation"] in {"Causal", "Contrast"}
