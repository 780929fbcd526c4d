"""Chat Completions: a reply as one object, or as server-sent events."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from characters.clients.openai.errors import RefusedError
from characters.clients.openai.reply import Ending, Reply

DONE = "data: [DONE]\n\n"


async def full(reply: Reply, model: str) -> dict[str, Any]:
    """Return the answer to a request that isn't streamed. Raises `RefusedError`."""
    ending = await reply.ending()
    message = {"role": "assistant", "content": ending.text, "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(ending)}
    return _frame(reply, model, "chat.completion") | {"choices": [choice], "usage": ending.usage}


async def events(reply: Reply, model: str, *, include_usage: bool) -> AsyncIterator[str]:
    """Yield server-sent events, ended by `[DONE]`; a reply that breaks off ends with an error instead."""
    frame = _frame(reply, model, "chat.completion.chunk")
    yield _chunk(frame, {"role": "assistant", "content": ""})
    try:
        async for piece in reply.pieces():
            yield _chunk(frame, {"content": piece})
        ending = await reply.ending()
    except RefusedError as error:
        yield event(error.body())
        return
    yield _chunk(frame, {}, _finish(ending))
    if include_usage:
        yield event(frame | {"choices": [], "usage": ending.usage})
    yield DONE


def event(document: Mapping[str, Any], name: str = "") -> str:
    """Return a server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(document, ensure_ascii=False)}\n\n"


def _chunk(frame: Mapping[str, Any], delta: Mapping[str, str], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return event({**frame, "choices": [choice]})


def _finish(ending: Ending) -> str:
    return "length" if ending.is_truncated else "stop"


def _frame(reply: Reply, model: str, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{reply.number}", "object": kind, "created": reply.created, "model": model}
