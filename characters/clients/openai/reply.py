"""A reply on its way to a client program: of a character, or of the language model by itself."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from http import HTTPStatus

from characters.clients.openai.errors import RefusedError
from characters.conversations.models import Turn
from characters.talk import say
from characters.talk.progress import Progress, read_reply
from characters.talk.say import in_thread
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import ChatRequest


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a reply: its whole text, whether it is cut at its limit, and tokens of prompt and reply."""

    text: str
    is_truncated: bool
    prompt_tokens: int
    completion_tokens: int

    @property
    def usage(self) -> dict[str, int]:
        """Return the tokens by the names of Chat Completions."""
        total = self.prompt_tokens + self.completion_tokens
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": total,
        }


@dataclass(slots=True)
class Reply:
    """A reply that `task` writes into `progress`. Who reads it drives it: a client that leaves stops it."""

    number: str
    """Its id, without a prefix."""
    created: int
    """Seconds since 1970."""
    task: "asyncio.Task[None]"
    progress: Progress
    headers: dict[str, str] = field(default_factory=dict)

    async def begins(self) -> None:
        """Wait for the first piece or the end. Raises `RefusedError` if there will be no reply."""
        if request := asyncio.current_task():  # a client may leave before `pieces` begin, which then never end
            request.add_done_callback(lambda _: self._leave())
        try:
            while not self.progress.raw and not self.task.done():
                await self._next()
        except asyncio.CancelledError:
            self._leave()
            raise
        if self.task.done():
            await self._check()

    async def pieces(self) -> AsyncIterator[str]:
        """Yield the text as it comes. Raises `RefusedError` if it breaks off."""
        sent = ""
        try:
            while not self.task.done():
                text = self.progress.sendable
                if len(text) > len(sent):
                    yield text[len(sent) :]
                    sent = text
                    continue
                await self._next()
        finally:
            self._leave()  # at its end nobody minds; before, the client has gone
        await self._check()
        if rest := self._text()[len(sent) :]:
            yield rest

    async def ending(self) -> Ending:
        """Wait for the end. Raises `RefusedError` if the reply broke off."""
        try:
            await asyncio.wait({self.task})
        except asyncio.CancelledError:
            self._leave()
            raise
        await self._check()
        return await in_thread(self._ending)

    async def _next(self) -> None:
        changed = asyncio.create_task(self.progress.changed.wait())
        await asyncio.wait({changed, self.task}, return_when=asyncio.FIRST_COMPLETED)
        changed.cancel()
        self.progress.changed.clear()

    def _leave(self) -> None:
        raise NotImplementedError

    async def _check(self) -> None:
        raise NotImplementedError

    def _text(self) -> str:
        raise NotImplementedError

    def _ending(self) -> Ending:
        raise NotImplementedError


@dataclass(slots=True)
class TurnReply(Reply):
    """The reply of a turn."""

    turn: Turn = field(kw_only=True)

    @classmethod
    def of(cls, turn: Turn, headers: dict[str, str]) -> "TurnReply":
        """Begin to answer the turn."""
        progress = Progress()
        task = say.start(turn.pk, progress)
        return cls(turn.key, int(turn.created_at.timestamp()), task, progress, headers, turn=turn)

    def _leave(self) -> None:
        self.progress.left = True

    async def _check(self) -> None:
        await in_thread(self.turn.refresh_from_db)
        if self.turn.state not in {Turn.State.DONE, Turn.State.STOPPED}:
            raise unavailable(self.turn.error or "The reply was interrupted. Try again.")

    def _text(self) -> str:
        return self.turn.text.removeprefix(self.progress.prefill)

    def _ending(self) -> Ending:
        """Return tokens as the endpoint reported them, else estimates by the embedder's tokenizer."""
        prompt, reply, text = self.turn.prompt_tokens, self.turn.completion_tokens, self._text()
        prompt = prompt if prompt is not None else int(self.turn.prompt.get("tokens", 0))
        reply = reply if reply is not None else wiring.count_tokens(text)
        return Ending(text, self.progress.usage.truncated, prompt, reply)


@dataclass(slots=True)
class PlainReply(Reply):
    """The language model's own answer, without a character: nothing of it is stored."""

    request: ChatRequest = field(kw_only=True)

    @classmethod
    def of(cls, number: str, created: int, request: ChatRequest, headers: dict[str, str]) -> "PlainReply":
        """Ask the language model."""
        progress = Progress()
        task = asyncio.create_task(read_reply(wiring.language_model(), request, progress))
        return cls(number, created, task, progress, headers, request=request)

    @classmethod
    def written(
        cls, number: str, created: int, request: ChatRequest, headers: dict[str, str], text: str
    ) -> "PlainReply":
        """Return an answer that is there already."""
        progress = Progress(text)
        return cls(number, created, asyncio.create_task(asyncio.sleep(0)), progress, headers, request=request)

    def _leave(self) -> None:
        self.task.cancel()

    async def _check(self) -> None:
        if error := self.task.exception():
            raise unavailable(error.message if isinstance(error, StoreError) else str(error)) from error

    def _text(self) -> str:
        return self.progress.text

    def _ending(self) -> Ending:
        usage, text = self.progress.usage, self._text()
        prompt = usage.prompt_tokens
        if prompt is None:
            prompt = wiring.count_tokens("\n".join(message.content for message in self.request.messages))
        reply = usage.completion_tokens
        return Ending(text, usage.truncated, prompt, wiring.count_tokens(text) if reply is None else reply)


def unavailable(sentence: str) -> RefusedError:
    """Return the error of a language model that doesn't answer."""
    return RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, sentence, code="model_unavailable")
