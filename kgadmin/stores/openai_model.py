"""Any endpoint that speaks OpenAI's Chat Completions."""

import asyncio
import json
import re
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, contextmanager
from functools import cache
from typing import Any

import httpx2
from openai import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncOpenAI,
    AsyncStream,
    DefaultAsyncHttpxClient,
    OpenAIError,
)
from openai.types.chat import ChatCompletionChunk

from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import (
    ChatMessage,
    ChatRequest,
    Completion,
    CompletionRequest,
    LanguageModel,
    Usage,
)
from kgadmin.stores.model_list import CachedModelList, ModelList

AFTERWORD_SECONDS = 2.0
"""Seconds to wait, after the reply's end, for the chunk with its usage."""

LIST_SECONDS = 2.0
"""Time-out of the list of models."""

FULL_ANSWER = 10
"""Time-out of a completion, as a multiple of the time-out of a token."""

_NOT_ENFORCED = frozenset({"title", "default", "minLength", "maxLength", "minimum", "maximum"})
"""Keywords of JSON Schema that strict endpoints refuse; the caller checks them afterwards."""

WEB_PAGE = "The language model's address answers with a web page: does LLM_BASE_URL end in /v1, as most do?"
LONGEST_QUOTE = 200
LOGIN = re.compile("//[^/@]*@")
"""Matches a name and a password in an address."""

_NO_SUCH = re.compile(r"\b(?:unknown|invalid|no such|not (?:found|exist|available|supported|a valid))\b", re.IGNORECASE)
"""How endpoints say by 400 that they don't have a model."""

BY_STATUS = {
    401: "The language model refused the key: check LLM_API_KEY.",
    403: "The language model refused access: check LLM_API_KEY.",
    404: "The language model's address or its model {model!r} is not known there (404): check LLM_BASE_URL, LLM_MODEL.",
    429: "The language model asks to slow down, or its quota is used up (429).",
}
REDIRECTS = range(300, 400)
REFUSALS = (400, 422)
"""Status of a request that may be taken with fewer options."""
MOVED = (
    "The language model's address leads to another one ({status}), which gets no prompt: if it is right, set "
    "LLM_BASE_URL to it."
)

Chunks = AsyncStream[ChatCompletionChunk]


class OpenAIModel(LanguageModel):
    """One try per call. `timeout` bounds the wait for the first token, and between two tokens."""

    def __init__(self, *, base_url: str, model: str, api_key: str, timeout: float) -> None:
        self._base_url = base_url
        self._model = model
        self._secret = api_key
        self._api_key = api_key or "local"  # the client refuses an empty one, and local endpoints ask for none
        self._timeout = timeout
        self._refused: frozenset[str] = frozenset()
        """Options that this endpoint refused, and answered without."""
        self._models = CachedModelList(self._listed)

    @property
    def name(self) -> str:
        return self._model

    @property
    def judges(self) -> bool:
        return True

    def models(self, wait: float = 0.0) -> ModelList:
        return self._models.read(wait)

    def _listed(self) -> ModelList:
        """Ask the endpoint for its list."""
        headers = {"Authorization": f"Bearer {self._secret}"} if self._secret else {}
        address = f"{self._base_url.rstrip('/')}/models"
        try:
            answer = httpx2.get(address, headers=headers, timeout=LIST_SECONDS, verify=_certificates())
            names = _names(answer.json()) if answer.is_success else ()
        except (httpx2.HTTPError, httpx2.InvalidURL):
            return ModelList(problem="The endpoint doesn’t answer, so its models can’t be listed.")
        except ValueError:  # no JSON
            names = ()
        return ModelList(names, "" if names else "The endpoint doesn’t list its models.")

    async def stream(self, request: ChatRequest, usage: Usage) -> AsyncGenerator[str, None]:
        reading = _Reading(self._timeout, usage)
        usage.model, usage.missing = self._model_for(request)
        options = _options(request.max_tokens)
        if request.stop:
            options["stop"] = list(request.stop)
        options |= request.options
        try:
            async with aclosing(self._pieces(request.messages, options, reading)) as pieces:
                async for piece in pieces:
                    yield piece
        finally:  # also where the reply is stopped
            usage.truncated = reading.is_truncated
            usage.left_out = tuple(name for name in request.options if name not in options)
            usage.parameters = {name: value for name, value in options.items() if isinstance(value, int | float | str)}

    def _model_for(self, request: ChatRequest) -> tuple[str, str]:
        """Return the model to ask, and the one of the request if the endpoint's list lacks it. Asks nobody."""
        if request.model in {"", self._model}:
            return self._model, ""
        return (self._model, request.model) if self.models().lacks(request.model) else (request.model, "")

    def complete(self, request: CompletionRequest) -> Completion:
        # A thread of its own: the caller's may have an event loop already, as a browser test's has.
        with ThreadPoolExecutor(1, thread_name_prefix="complete") as thread:
            return thread.submit(asyncio.run, self._complete(request)).result()

    async def _complete(self, request: CompletionRequest) -> Completion:
        usage = Usage(model=self._model)
        reading = _Reading(self._timeout, usage)
        asked = _options(request.max_tokens) | _judging(request)
        options = {name: value for name, value in asked.items() if name not in self._refused}
        longest = FULL_ANSWER * self._timeout
        try:
            async with (
                asyncio.timeout(longest),
                aclosing(self._pieces(_with_schema(request), options, reading)) as pieces,
            ):
                text = "".join([piece async for piece in pieces])
        except TimeoutError as error:
            raise StoreError(f"The language model's answer wasn't complete after {longest:g} s.") from error
        self._refused = frozenset(asked) - frozenset(options) - {"max_tokens"}
        return Completion(text, usage)

    async def _pieces(
        self, messages: Sequence[ChatMessage], options: dict[str, Any], reading: "_Reading"
    ) -> AsyncGenerator[str, None]:
        with _as_sentences(self._base_url, self._model, self._timeout, secret=self._secret):
            async with self._client() as client:
                async with reading.in_time():
                    chunks = await self._ask(client, messages, options, reading.usage)
                async with chunks:
                    async for text in reading.texts(chunks):
                        yield text

    def _client(self) -> AsyncOpenAI:
        """Return a client for one call: a connection belongs to the event loop that opened it."""
        return AsyncOpenAI(
            base_url=self._base_url,
            api_key=self._api_key,
            max_retries=0,
            timeout=self._timeout,
            http_client=DefaultAsyncHttpxClient(verify=_certificates(), follow_redirects=False),
        )

    async def _ask(
        self, client: AsyncOpenAI, messages: Sequence[ChatMessage], options: dict[str, Any], usage: Usage
    ) -> Chunks:
        rows: Any = [{"role": message.role, "content": message.content} for message in messages]
        while True:
            try:
                # As the body's own fields, since the client knows OpenAI's alone, and endpoints more.
                chunks: Chunks = await client.chat.completions.create(
                    model=usage.model, messages=rows, stream=True, extra_body=options
                )
                return chunks
            except APIStatusError as error:
                if usage.model != self._model and _is_unknown(usage.model, error, options):
                    usage.model, usage.missing = self._model, usage.model
                elif error.status_code not in REFUSALS or not _leave_out_refused(options, error.message):
                    raise


def _names(answer: Any) -> tuple[str, ...]:
    """Return the names in a list of models; some endpoints send the list alone, without an object around it."""
    rows = answer.get("data") if isinstance(answer, Mapping) else answer
    ids = (row.get("id") for row in rows if isinstance(row, Mapping)) if isinstance(rows, list) else ()
    return tuple(sorted({name for name in ids if isinstance(name, str) and name}))


def _is_unknown(model: str, error: APIStatusError, options: Mapping[str, Any]) -> bool:
    """Return whether the endpoint refuses since it has no such model, and not because of an option."""
    if error.status_code == 404 or error.code == "model_not_found":
        return True
    complaint = error.message if error.status_code in REFUSALS else ""
    is_of_option = any(name in complaint for name in options)
    return model in complaint and bool(_NO_SUCH.search(complaint)) and not is_of_option


def _options(max_tokens: int) -> dict[str, Any]:
    return {"max_tokens": max_tokens, "stream_options": {"include_usage": True}}


def _judging(request: CompletionRequest) -> dict[str, Any]:
    schema = {"name": request.schema_name, "schema": strict(request.schema), "strict": True}
    return {"temperature": 0, "response_format": {"type": "json_schema", "json_schema": schema}}


def _with_schema(request: CompletionRequest) -> list[ChatMessage]:
    """Return the messages, with the schema at the end of the first system message: endpoints may not enforce it."""
    rule = f"Answer with JSON alone, no other text. It fits this JSON Schema:\n{json.dumps(request.schema)}"
    first, *others = request.messages
    if first.role == "system":
        return [ChatMessage("system", f"{first.content}\n\n{rule}"), *others]
    return [ChatMessage("system", rule), *request.messages]


class _Reading:
    def __init__(self, timeout: float, usage: Usage) -> None:
        self._timeout = timeout
        self.usage = usage
        self._finish: str | None = None
        self._has_text = False
        self._alive(timeout)

    @property
    def is_truncated(self) -> bool:
        """Return whether the reply ended at `max_tokens`."""
        return self._finish == "length"

    def in_time(self) -> asyncio.Timeout:
        """Return a time-out that ends its block when nothing has arrived for too long."""
        return asyncio.timeout_at(self._deadline)

    async def texts(self, chunks: Chunks) -> AsyncIterator[str]:
        """Yield the reply's pieces. Raises `StoreError` if it is a web page, cut off, or without text."""
        if "html" in chunks.response.headers.get("content-type", ""):
            raise StoreError(WEB_PAGE)
        while (chunk := await self._next(chunks)) is not None:
            text = self._note(chunk)
            if text:
                yield text
        if self._finish is None and self._has_text:
            raise StoreError("The language model's answer was cut off in the middle.")
        if not self._has_text:
            raise StoreError("The language model answered without any text.")

    async def _next(self, chunks: Chunks) -> ChatCompletionChunk | None:
        try:
            async with self.in_time():
                return await anext(chunks, None)
        except TimeoutError:
            if self._finish is None:
                raise
            return None  # the reply is complete, only its usage didn't come

    def _note(self, chunk: ChatCompletionChunk) -> str:
        """Note the chunk's usage, and return its text. Some chunks have no choices, some choices no delta."""
        if chunk.usage:
            self.usage.prompt_tokens = chunk.usage.prompt_tokens
            self.usage.completion_tokens = chunk.usage.completion_tokens
        for choice in chunk.choices or []:
            self._finish = choice.finish_reason or self._finish
            delta = choice.delta.to_dict() if choice.delta else {}
            if any(value for key, value in delta.items() if key != "role"):  # reasoning is a sign of life too
                self._alive(self._timeout)
            if choice.finish_reason:
                self._alive(min(self._timeout, AFTERWORD_SECONDS))
            if isinstance(text := delta.get("content"), str):
                self._has_text = self._has_text or bool(text.strip())
                return text
        return ""

    def _alive(self, patience: float) -> None:
        self._deadline = asyncio.get_running_loop().time() + patience


def _leave_out_refused(options: dict[str, Any], complaint: str) -> bool:
    """Remove or rename the option that the endpoint refuses; return False if it complains of something else."""
    if "max_tokens" in options and "max_tokens" in complaint and "max_completion_tokens" in complaint:
        options["max_completion_tokens"] = options.pop("max_tokens")  # OpenAI's newer models take only this name
        return True
    named = [name for name in options if name in complaint and name not in {"max_tokens", "max_completion_tokens"}]
    # A schema is refused in many words ("grammar", "guided decoding"), so any other complaint may be about it.
    refused = named or [name for name in ("response_format",) if name in options]
    for name in refused:
        del options[name]
    return bool(refused)


def strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema with every property required, no others allowed, and without unenforced keywords."""
    plain = {name: _inside(name, value) for name, value in schema.items() if name not in _NOT_ENFORCED}
    if "properties" in schema:
        plain |= {"required": list(schema["properties"]), "additionalProperties": False}
    return plain


def _inside(name: str, value: Any) -> Any:
    if name in {"properties", "$defs"}:  # its keys are names, which may be called "title"
        return {key: strict(each) for key, each in value.items()}
    if isinstance(value, Mapping):
        return strict(value)
    if isinstance(value, list):
        return [strict(each) if isinstance(each, Mapping) else each for each in value]
    return value


@contextmanager
def _as_sentences(base_url: str, model: str, timeout: float, *, secret: str = "") -> Iterator[None]:
    """Raise every failure as a `StoreError`. Endpoints quote the key that they refuse: `secret` is removed."""
    too_late = f"The language model said nothing for {timeout:g} s."
    try:
        yield
    except (TimeoutError, APITimeoutError, httpx2.TimeoutException) as error:
        raise StoreError(too_late) from error
    except APIConnectionError as error:
        raise StoreError(_no_connection(error, base_url)) from error
    except APIStatusError as error:
        retryable = error.status_code == 429 or error.status_code >= 500
        raise StoreError(_status(error, model, secret), retryable=retryable) from error
    except httpx2.HTTPError as error:
        raise StoreError("The connection to the language model broke.") from error
    except (OpenAIError, httpx2.InvalidURL) as error:
        raise StoreError(f"The language model reports an error: {_short(str(error), secret)}") from error
    except (ValueError, AttributeError, TypeError) as error:  # the client passes on what an endpoint sends, unchecked
        raise StoreError("The language model's answer is not a stream of chat completions.") from error


def _no_connection(error: APIConnectionError, base_url: str) -> str:
    if isinstance(error.__cause__, httpx2.UnsupportedProtocol):
        return "The language model's address must begin with http:// or https://: check LLM_BASE_URL."
    if isinstance(error.__cause__, httpx2.ReadError | httpx2.RemoteProtocolError):
        return "The language model broke the connection off."
    return f"The language model does not answer at {LOGIN.sub('//', base_url)}."


def _status(error: APIStatusError, model: str, secret: str) -> str:
    if error.status_code in BY_STATUS:
        return BY_STATUS[error.status_code].format(model=model)
    if error.status_code in REDIRECTS:
        return MOVED.format(status=error.status_code)
    if error.status_code >= 500:
        return f"The language model's server failed ({error.status_code})."
    return f"The language model refused the request ({error.status_code}): {_short(error.message, secret)}"


def _short(text: str, secret: str) -> str:
    line = " ".join((text.replace(secret, "…") if secret else text).split())
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1] + "…"


@cache
def _certificates() -> ssl.SSLContext:
    """Return the certificates, read once: reading takes 20 ms, and blocks all other replies."""
    return httpx2.create_ssl_context()
