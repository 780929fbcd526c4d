"""Any endpoint that speaks OpenAI's Chat Completions."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from functools import cache
from typing import Any

import httpx2
from openai import AsyncOpenAI, AsyncStream, BadRequestError, DefaultAsyncHttpxClient, UnprocessableEntityError
from openai.types.chat import ChatCompletionChunk

from kgadmin.stores import openai_errors
from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import ChatRequest, LanguageModel, Usage

AFTERWORD_SECONDS = 2.0
"""How long to wait, after the reply's end, for the chunk that tells its usage."""

Chunks = AsyncStream[ChatCompletionChunk]


class OpenAIModel(LanguageModel):
    """One try per call. `timeout` bounds the wait for the first token, and between two tokens."""

    def __init__(self, *, base_url: str, model: str, api_key: str, timeout: float) -> None:
        self._base_url = base_url
        self._model = model
        self._api_key = api_key or "local"  # the client refuses an empty one, and local endpoints ask for none
        self._timeout = timeout

    @property
    def name(self) -> str:
        return self._model

    async def stream(self, request: ChatRequest, usage: Usage) -> AsyncGenerator[str, None]:
        reading = _Reading(self._timeout, usage)
        with openai_errors.as_sentences(self._base_url, self._model, self._timeout):
            async with self._client() as client:
                async with reading.in_time():
                    chunks = await self._ask(client, request)
                async with chunks:
                    async for text in reading.texts(chunks):
                        yield text

    def _client(self) -> AsyncOpenAI:
        """One per call: a connection belongs to the event loop that opened it, and ends with the call."""
        return AsyncOpenAI(
            base_url=self._base_url,
            api_key=self._api_key,
            max_retries=0,
            timeout=self._timeout,
            http_client=DefaultAsyncHttpxClient(verify=_certificates()),
        )

    async def _ask(self, client: AsyncOpenAI, request: ChatRequest) -> Chunks:
        options: dict[str, Any] = {
            "max_tokens": request.max_tokens,
            "stream_options": {"include_usage": True},
        }
        messages: Any = [{"role": message.role, "content": message.content} for message in request.messages]
        while True:
            try:
                chunks: Chunks = await client.chat.completions.create(
                    model=self._model, messages=messages, stream=True, **options
                )
                return chunks
            except (BadRequestError, UnprocessableEntityError) as error:
                if not _leave_out_refused(options, error.message):
                    raise


class _Reading:
    """One reply while it arrives."""

    def __init__(self, timeout: float, usage: Usage) -> None:
        self._timeout = timeout
        self._usage = usage
        self._finish: str | None = None
        self._said = False
        self._alive(timeout)

    def in_time(self) -> asyncio.Timeout:
        """Ends what runs in it when nothing was heard for too long."""
        return asyncio.timeout_at(self._deadline)

    async def texts(self, chunks: Chunks) -> AsyncIterator[str]:
        """The reply's pieces; `StoreError` if it doesn't end as a reply should."""
        if "html" in chunks.response.headers.get("content-type", ""):
            raise StoreError(openai_errors.WEB_PAGE)
        while (chunk := await self._next(chunks)) is not None:
            text = self._note(chunk)
            if text:
                yield text
        if self._finish is None and self._said:
            raise StoreError("The language model's answer was cut off in the middle.")
        if not self._said:
            raise StoreError("The language model answered without any text.")

    async def _next(self, chunks: Chunks) -> ChatCompletionChunk | None:
        try:
            async with self.in_time():
                return await anext(chunks, None)
        except TimeoutError:
            if self._finish is None:
                raise
            return None  # the reply is whole, only its usage didn't come

    def _note(self, chunk: ChatCompletionChunk) -> str:
        """Note what the chunk tells, and return its text. Some chunks have no choices, some choices no delta."""
        if chunk.usage:
            self._usage.prompt_tokens = chunk.usage.prompt_tokens
            self._usage.completion_tokens = chunk.usage.completion_tokens
        for choice in chunk.choices or []:
            self._finish = choice.finish_reason or self._finish
            said = choice.delta.to_dict() if choice.delta else {}
            if any(value for key, value in said.items() if key != "role"):  # reasoning is a sign of life too
                self._alive(self._timeout)
            if choice.finish_reason:
                self._alive(min(self._timeout, AFTERWORD_SECONDS))
            if isinstance(said.get("content"), str):
                self._said = self._said or bool(str(said["content"]).strip())
                return str(said["content"])
        return ""

    def _alive(self, patience: float) -> None:
        self._deadline = asyncio.get_running_loop().time() + patience


def _leave_out_refused(options: dict[str, Any], complaint: str) -> bool:
    """Change the option that the endpoint complains of; False if it complains of something else."""
    if "stream_options" in options and "stream_options" in complaint:
        del options["stream_options"]
        return True
    if "max_tokens" in options and "max_tokens" in complaint and "max_completion_tokens" in complaint:
        options["max_completion_tokens"] = options.pop("max_tokens")  # OpenAI's newer models take only this name
        return True
    return False


@cache
def _certificates() -> ssl.SSLContext:
    """Read once: it takes 20 ms, in which no other reply would move."""
    return httpx2.create_ssl_context()
