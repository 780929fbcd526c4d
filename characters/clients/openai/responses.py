"""The Responses API: its requests as Chat Completions, and a reply as its object or its events."""

from collections.abc import AsyncIterator, Iterable, Mapping
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from characters.clients.openai.completions import event
from characters.clients.openai.errors import RefusedError
from characters.clients.openai.reply import Ending, Reply
from characters.clients.openai.request import Completion, validated
from characters.conversations.models import Conversation, Turn
from kgadmin.accounts.models import ApiKey

PREFIX = "resp_"


class ResponseRequest(BaseModel):
    """A request. `previous_response_id` stands for the messages up to that reply."""

    model_config = ConfigDict(extra="allow")

    model: str = Field(max_length=200)
    input: str | list[dict[str, Any]]
    instructions: str | None = None
    previous_response_id: str | None = None
    conversation: str | dict[str, Any] | None = None
    stream: Any = None
    max_output_tokens: Any = None
    reasoning: Any = None
    text: Any = None

    def as_completion(self, before: Iterable[Mapping[str, Any]]) -> Completion:
        """Return the request as one of Chat Completions, with the messages `before` it. Raises `RefusedError`."""
        newest = [{"role": "user", "content": self.input}] if isinstance(self.input, str) else self.input
        instructions = [{"role": "system", "content": self.instructions}] if self.instructions else []
        messages = [_as_message(item) for item in newest]
        renamed = {
            "max_tokens": self.max_output_tokens,
            "reasoning_effort": _part(self.reasoning, "effort"),
            "response_format": _format(_part(self.text, "format")),
        }
        used = {name: value for name, value in renamed.items() if value is not None}
        more = dict(self.model_extra or {})
        if self.conversation:
            name = self.conversation if isinstance(self.conversation, str) else self.conversation.get("id", "")
            more["metadata"] = {"conversation_id": name}
        document = more | used | {"model": self.model, "messages": [*instructions, *before, *messages]}
        return validated(Completion, document)


def _as_message(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item as a message; one that isn't a message has its kind as its role, and is passed over."""
    kind = item.get("type", "message")
    return dict(item) if kind == "message" else {"role": kind}


def _part(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


def _format(form: Any) -> Any:
    if not isinstance(form, Mapping) or form.get("type") in {None, "text"}:
        return None
    if form["type"] != "json_schema":
        return dict(form)
    return {"type": "json_schema", "json_schema": {name: value for name, value in form.items() if name != "type"}}


def lines_before(key: ApiKey, previous: str | None, person: str) -> list[dict[str, Any]]:
    """Return the messages up to an earlier reply to the same person. Raises `RefusedError` if there is none."""
    if not previous:
        return []
    conversations = Conversation.objects.filter(client=key.client, person__outside_id=person)
    rows = Turn.objects.filter(message__conversation__in=conversations)
    turn = rows.filter(key=previous.removeprefix(PREFIX)).first()
    if turn is None:
        sentence = f"There is no response “{previous[:80]}” to this person here. Leave out “previous_response_id”."
        raise RefusedError(
            HTTPStatus.NOT_FOUND, sentence, code="previous_response_not_found", param="previous_response_id"
        )
    rows_by_id = {row.pk: row for row in turn.conversation.messages.all()}
    return [{"role": row.role, "content": row.text} for row in (turn.reply or turn.message).path(rows_by_id)]


async def full(reply: Reply, asked: ResponseRequest) -> dict[str, Any]:
    """Return the answer to a request that isn't streamed. Raises `RefusedError`."""
    return _response(reply, asked, await reply.ending())


async def events(reply: Reply, asked: ResponseRequest) -> AsyncIterator[str]:
    """Yield the events of a streamed response, in OpenAI's order."""
    number = 0

    def send(kind: str, **fields: Any) -> str:
        nonlocal number
        number += 1
        return event({"type": f"response.{kind}", "sequence_number": number - 1, **fields}, f"response.{kind}")

    unfinished = _response(reply, asked)
    place = {"item_id": f"msg_{reply.number}", "output_index": 0, "content_index": 0}
    yield send("created", response=unfinished)
    yield send("in_progress", response=unfinished)
    yield send("output_item.added", output_index=0, item=_item(reply, "", "in_progress") | {"content": []})
    yield send("content_part.added", **place, part=_content(""))
    text = ""
    try:
        async for piece in reply.pieces():
            text += piece
            yield send("output_text.delta", **place, delta=piece, logprobs=[])
        ending = await reply.ending()
    except RefusedError as error:
        failed = {"status": "failed", "error": {"code": "server_error", "message": error.message}}
        yield send("failed", response=unfinished | failed)
        return
    yield send("output_text.done", **place, text=text, logprobs=[])
    yield send("content_part.done", **place, part=_content(text))
    response = _response(reply, asked, ending)
    yield send("output_item.done", output_index=0, item=response["output"][0])
    yield send("incomplete" if ending.is_truncated else "completed", response=response)


def _response(reply: Reply, asked: ResponseRequest, ending: Ending | None = None) -> dict[str, Any]:
    status = "in_progress" if ending is None else "incomplete" if ending.is_truncated else "completed"
    usage = ending and {
        "input_tokens": ending.prompt_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": ending.completion_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": ending.prompt_tokens + ending.completion_tokens,
    }
    return {
        "id": f"{PREFIX}{reply.number}",
        "object": "response",
        "created_at": reply.created,
        "status": status,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        "instructions": asked.instructions,
        "model": asked.model,
        "output": [_item(reply, ending.text, status)] if ending else [],
        "parallel_tool_calls": False,
        "previous_response_id": asked.previous_response_id,
        "tool_choice": "none",
        "tools": [],
        "usage": usage,
        "metadata": {},
    }


def _item(reply: Reply, text: str, status: str) -> dict[str, Any]:
    return {
        "id": f"msg_{reply.number}",
        "type": "message",
        "role": "assistant",
        "status": status,
        "content": [_content(text)],
    }


def _content(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
