"""A client program's request: validated, and split into speaker, history and options."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, RawPostDataException
from pydantic import BaseModel, Field, ValidationError

from characters.conversations.clients import MAX_OUTSIDE_ID, Line, digests_of
from characters.profiles.documents import is_storable
from characters.talk.openai.errors import RefusedError

MAX_BODY = 2_000_000
MAX_MESSAGES = 2_000
HISTORY_LINES = 40
HISTORY_CHARACTERS = 100_000
SYSTEM_CHARACTERS = 20_000
MAX_STOPS = 4
MAX_NAME = 64
SPOKEN = ("user", "assistant")
ROLES = ("system", "developer", *SPOKEN)
TOO_LARGE = RefusedError(
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"The body is too large: at most {MAX_BODY / 1e6:g} MB are allowed."
)
HOUSEKEEPING = "### Task:"
"""Beginnings of the messages with which Open WebUI asks for titles, tags and follow-ups."""


class Message(BaseModel):
    """A message; its content is a text, or a list of parts."""

    role: str = Field(max_length=20)
    content: str | list[dict[str, Any]] | None = None
    name: str | None = Field(None, max_length=MAX_NAME)

    @property
    def text(self) -> str:
        """Return its text parts, joined. Raises `RefusedError` for any other part."""
        if not isinstance(self.content, list):
            return self.content or ""
        kinds = [part.get("type") for part in self.content]
        other = next((kind for kind in kinds if kind not in {"text", "input_text"}), None)
        if other:
            raise _refused(f"Characters can read text only: leave out the part of type “{other}”.", "messages")
        texts = [part.get("text") for part in self.content]
        if not all(isinstance(text, str) for text in texts):
            raise _refused("A text part needs a text.", "messages")
        return "\n".join(str(text) for text in texts)


class StreamOptions(BaseModel):
    include_usage: bool = False


class Completion(BaseModel):
    """The supported fields of a request; others are ignored, since clients send many."""

    model: str = Field(max_length=200)
    messages: list[Message] = Field(min_length=1, max_length=MAX_MESSAGES)
    stream: bool = False
    stream_options: StreamOptions | None = None
    stop: str | list[str] | None = None
    max_completion_tokens: int | None = Field(None, ge=1)
    max_tokens: int | None = Field(None, ge=1)
    temperature: float | None = Field(None, ge=0, le=2, allow_inf_nan=False)
    n: int | None = None
    tools: list[Any] | None = None
    functions: list[Any] | None = None
    user: str | None = None
    safety_identifier: str | None = None
    metadata: dict[str, Any] | None = None
    store: bool | None = None

    @property
    def include_usage(self) -> bool:
        return self.stream_options is not None and self.stream_options.include_usage

    @property
    def options(self) -> dict[str, Any]:
        """Return the options of the reply."""
        stops = [self.stop] if isinstance(self.stop, str) else self.stop or []
        return {
            "stop": [stop for stop in stops if stop],
            "max_tokens": self.max_completion_tokens or self.max_tokens,
            "temperature": self.temperature,
        }

    @property
    def is_housekeeping(self) -> bool:
        """Return whether the program asks for itself: a title, tags."""
        return self.messages[-1].text.lstrip().startswith(HOUSEKEEPING)


def parsed(request: HttpRequest) -> Completion:
    """Return the request's body. Raises `RefusedError`."""
    body = _validated(_json(request))
    if body.tools or body.functions:
        raise _refused("Characters can't call tools. Leave out “tools”.", "tools")
    if body.n is not None and body.n != 1:
        raise _refused("Only one reply per request is supported. Leave out “n”, or set it to 1.", "n")
    if len(body.options["stop"]) > MAX_STOPS:
        raise _refused(f"At most {MAX_STOPS} stop texts are allowed.", "stop")
    return body


def _json(request: HttpRequest) -> Any:
    if request.content_type != "application/json":
        sentence = f"The body must be JSON, sent as application/json, not as {request.content_type or 'nothing'}."
        raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, sentence)
    if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BODY:
        raise TOO_LARGE
    try:
        return json.loads(request.body)
    except (RequestDataTooBig, RawPostDataException) as error:
        raise TOO_LARGE from error
    except (ValueError, RecursionError) as error:
        raise RefusedError(HTTPStatus.BAD_REQUEST, "The body isn't complete JSON.", code="invalid_json") from error


def _validated(document: Any) -> Completion:
    try:
        return Completion.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the body"
        raise RefusedError(422, f"{place}: {first['msg']}.", code="invalid_type", param=place) from error


@dataclass(frozen=True, slots=True)
class Talk:
    """The messages of a request, split."""

    text: str
    """The person's new message: the last of theirs."""
    name: str
    history: tuple[Line, ...]
    system: str

    @classmethod
    def of(cls, messages: Sequence[Message]) -> Self:
        """Split the messages. Raises `RefusedError` if there is no new message."""
        last = max((place for place, each in enumerate(messages) if each.role == "user"), default=None)
        if last is None:
            raise _refused("There is no message with the role “user” to answer.", "messages")
        for message in messages:
            if message.role not in ROLES:
                raise _refused(f"The role “{message.role}” isn't supported; {', '.join(ROLES)} are.", "messages")
            if not is_storable(message.text):
                raise _refused("A message contains a null byte or half of a character. Remove it.", "messages")
        if any(each.role == "assistant" for each in messages[last:]):
            raise _refused("The last message must be the user's: continuing a reply isn't supported.", "messages")
        return cls(messages[last].text, messages[last].name or "", _lines(messages[:last]), _system(messages))

    def asked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is stored with the turn, to assemble it, and understand it later."""
        digests = digests_of(self.history)
        lines = [(*line, digest) for line, digest in zip(self.history, digests, strict=True)]
        return {"client": {"history": _newest(lines), "system": self.system, "options": dict(options)}}


def _lines(messages: Sequence[Message]) -> tuple[Line, ...]:
    return tuple(
        Line("user" if message.role == "user" else "assistant", message.text)
        for message in messages
        if message.role in SPOKEN and message.text.strip()
    )


def _system(messages: Sequence[Message]) -> str:
    texts = [each.text.strip() for each in messages if each.role not in SPOKEN]
    return "\n\n".join(text for text in texts if text)[:SYSTEM_CHARACTERS]


def _newest(lines: Sequence[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    room, newest = HISTORY_CHARACTERS, []
    for line in reversed(lines[-HISTORY_LINES:]):
        room -= len(line[1])
        if room < 0:
            break
        newest.append(line)
    return newest[::-1]


def person_in(request: HttpRequest, body: Completion) -> str:
    """Return the program's own id of the speaker, from the header, else the body. Raises `RefusedError`."""
    named = request.headers.get("X-Person-Id") or body.user or body.safety_identifier or ""
    return _id(named, "user")


def conversation_in(request: HttpRequest, body: Completion) -> str:
    """Return the program's own id of the conversation, from the header, else the metadata. Raises `RefusedError`."""
    named = request.headers.get("X-Conversation-Id") or (body.metadata or {}).get("conversation_id") or ""
    return _id(str(named), "metadata.conversation_id")


def _id(text: str, param: str) -> str:
    if len(text) > MAX_OUTSIDE_ID or not is_storable(text):
        raise _refused(f"An id has at most {MAX_OUTSIDE_ID} characters, and no null byte.", param)
    return text.strip()


def _refused(sentence: str, param: str) -> RefusedError:
    return RefusedError(HTTPStatus.BAD_REQUEST, sentence, param=param)
