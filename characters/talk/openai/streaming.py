"""Send a reply to a client program: at once, or piece by piece as the model sends it."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from characters.conversations.models import Turn
from characters.talk.openai.errors import RefusedError
from characters.talk.progress import Progress
from characters.talk.say import in_thread
from kgadmin.stores import wiring

DONE = "data: [DONE]\n\n"


@dataclass(slots=True)
class Answer:
    """A turn being answered. The response drives it: a client that leaves stops it."""

    turn: Turn
    model: str
    progress: Progress
    task: "asyncio.Task[None]"
    prompt: str = ""

    async def begins(self) -> None:
        """Wait for the first piece or the end. Raises `RefusedError` if there will be no reply."""
        try:
            while not self.progress.raw and not self.task.done():
                await self._next()
        except asyncio.CancelledError:
            self.progress.left = True
            raise
        if self.task.done():
            await self._check()

    async def completion(self) -> dict[str, Any]:
        """Return the answer to a request that isn't streamed. Raises `RefusedError`."""
        try:
            await asyncio.wait({self.task})
        except asyncio.CancelledError:
            self.progress.left = True
            raise
        await self._check()
        message = {"role": "assistant", "content": self.turn.text, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": self._finish()}
        return self._frame("chat.completion") | {"choices": [choice], "usage": await in_thread(self._usage)}

    async def pieces(self, *, include_usage: bool) -> AsyncIterator[str]:
        """Yield server-sent events, ended by `[DONE]`; a reply that breaks off ends with an error instead."""
        sent = ""
        try:
            yield self._event({"role": "assistant", "content": ""})
            while not self.task.done():
                text = self.progress.sendable
                if len(text) > len(sent):
                    yield self._event({"content": text[len(sent) :]})
                    sent = text
                    continue
                await self._next()
        finally:
            self.progress.left = True  # at its end nobody minds; before, the client has gone
        try:
            await self._check()
        except RefusedError as error:
            yield _data(error.body())
            return
        if rest := self.turn.text[len(sent) :]:
            yield self._event({"content": rest})
        yield self._event({}, self._finish())
        if include_usage:
            usage = await in_thread(self._usage)
            yield _data(self._frame("chat.completion.chunk") | {"choices": [], "usage": usage})
        yield DONE

    async def _next(self) -> None:
        changed = asyncio.create_task(self.progress.changed.wait())
        await asyncio.wait({changed, self.task}, return_when=asyncio.FIRST_COMPLETED)
        changed.cancel()
        self.progress.changed.clear()

    async def _check(self) -> None:
        await in_thread(self.turn.refresh_from_db)
        if self.turn.state not in {Turn.State.DONE, Turn.State.STOPPED}:
            sentence = self.turn.error or "The reply was interrupted. Try again."
            raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, sentence, code="model_unavailable")

    def _finish(self) -> str:
        return "length" if self.progress.usage.truncated else "stop"

    def _usage(self) -> dict[str, int]:
        """Return the usage that the endpoint reported, else an estimate by the embedder's tokenizer."""
        prompt, reply = self.turn.prompt_tokens, self.turn.completion_tokens
        prompt = prompt if prompt is not None else int(self.turn.prompt.get("tokens", 0))
        reply = reply if reply is not None else wiring.count_tokens(self.turn.text)
        return {"prompt_tokens": prompt, "completion_tokens": reply, "total_tokens": prompt + reply}

    def _event(self, delta: Mapping[str, str], finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return _data(self._frame("chat.completion.chunk") | {"choices": [choice]})

    def _frame(self, kind: str) -> dict[str, Any]:
        created = int(self.turn.created_at.timestamp())
        return {"id": f"chatcmpl-{self.turn.pk}", "object": kind, "created": created, "model": self.model}


def _data(document: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(document, ensure_ascii=False)}\n\n"
