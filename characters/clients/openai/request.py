"""A program's request: its options, its person and conversation, and what of it nobody uses."""

import binascii
import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from itertools import accumulate
from math import isfinite
from typing import Annotated, Any, TypeVar
from urllib.parse import unquote

from django.http import HttpRequest
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from characters.clients.openai.errors import RefusedError
from characters.clients.openai.lines import ClientLine, plain_lines
from characters.conversations.clients import MAX_OUTSIDE_ID, Line
from characters.conversations.services import as_name
from characters.profiles.documents import is_storable
from characters.talk.progress import storable
from kgadmin.accounts.models import ApiKey, SpeaksFor

MAX_MESSAGES = 2_000
HISTORY_LINES = 40
HISTORY_CHARACTERS = 100_000
MAX_NAME = 60
MAX_NAMES = 20
"""Names of passed over fields that are shown."""

Body = TypeVar("Body", bound=BaseModel)
Probability = Annotated[float, Field(ge=0, le=1)]
Penalty = Annotated[float, Field(ge=-2, le=2)]
_KINDS: Mapping[str, Any] = {
    "temperature": Annotated[float, Field(ge=0, le=2)],
    "top_p": Probability,
    "top_k": Annotated[int, Field(ge=1)],
    "min_p": Probability,
    "presence_penalty": Penalty,
    "frequency_penalty": Penalty,
    "repetition_penalty": Annotated[float, Field(gt=0)],
    "seed": int,
    "stop": Annotated[str, Field(min_length=1)] | list[str],
    "logit_bias": dict[str, float],
    "response_format": dict[str, Any],
    "reasoning_effort": Annotated[str, Field(min_length=1, max_length=20)],
    "max_tokens": Annotated[int, Field(ge=1)],
    "max_completion_tokens": Annotated[int, Field(ge=1)],
}
_OPTIONS: Mapping[str, TypeAdapter[Any]] = {name: TypeAdapter(kind) for name, kind in _KINDS.items()}
"""Options that the model gets; one whose value is of another kind is passed over."""

SPEAKER_HEADERS = ("person", "name", "conversation")
_MEANS_NOTHING: tuple[Any, ...] = (None, False, 0, "", [], {}, "none", "auto")


class Completion(BaseModel):
    """A request. Its other fields, of which programs send many, are in `model_extra`."""

    model_config = ConfigDict(extra="allow")

    model: str = Field(max_length=200)
    messages: list[dict[str, Any]] = Field(min_length=1, max_length=MAX_MESSAGES)
    stream: Any = None
    stream_options: Any = None
    user: Any = None
    safety_identifier: Any = None
    metadata: Any = None
    store: Any = None

    @property
    def include_usage(self) -> bool:
        return isinstance(self.stream_options, Mapping) and self.stream_options.get("include_usage") is True

    @cached_property
    def lines(self) -> list[ClientLine]:
        """Return the messages that have text."""
        return plain_lines(self.messages)[0]

    @cached_property
    def options(self) -> dict[str, Any]:
        """Return the options for the model."""
        options = {name: value for name in _OPTIONS if (value := self._option(name)) is not None}
        limit = options.pop("max_completion_tokens", None) or options.get("max_tokens")
        stop = options.pop("stop", [])
        stops = [text for text in ([stop] if isinstance(stop, str) else stop) if text]
        return options | ({"max_tokens": limit} if limit else {}) | ({"stop": stops} if stops else {})

    def _option(self, name: str) -> Any:
        value = (self.model_extra or {}).get(name)
        try:
            return None if value in ({}, []) else _OPTIONS[name].validate_python(value)
        except ValidationError:
            return None

    @cached_property
    def passed_over(self) -> list[str]:
        """Return the names of what nobody uses: fields, roles, kinds of parts."""
        fields = [self._shown(name, value) for name, value in (self.model_extra or {}).items() if self._is_unused(name)]
        names = dict.fromkeys(name[:MAX_NAME] for name in [*filter(None, fields), *plain_lines(self.messages)[1]])
        return [name for name in names if name.isprintable()][:MAX_NAMES]

    def _is_unused(self, name: str) -> bool:
        return name not in _OPTIONS or self._option(name) is None

    @staticmethod
    def _shown(name: str, value: Any) -> str:
        if value in _MEANS_NOTHING or (name == "n" and value == 1):
            return ""
        return f"{name[:40]} ({len(value)})" if isinstance(value, list) else name[:40]


def json_of(request: HttpRequest) -> Any:
    """Return the request's body. Raises `RefusedError`."""
    if request.content_type != "application/json":
        sentence = f"The body must be JSON, sent as application/json, not as {request.content_type or 'nothing'}."
        raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, sentence)
    try:
        # Not by `body`, whose limit is too small for pictures.
        return _storable(json.loads(request.read(), parse_constant=_finite, parse_float=_finite))
    except (ValueError, RecursionError) as error:
        raise RefusedError(HTTPStatus.BAD_REQUEST, "The body isn't complete JSON.", code="invalid_json") from error


def _finite(number: str) -> float:
    """Return the number; NaN and Infinity are no JSON."""
    if not isfinite(value := float(number)):
        raise ValueError(number)
    return value


def _storable(value: Any) -> Any:
    """Return the value with U+FFFD for the characters in it that no store takes."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_storable(item) for item in value]
    if isinstance(value, dict):
        return {storable(name): _storable(item) for name, item in value.items()}
    return value


def validated(model: type[Body], document: Any) -> Body:
    """Return the document as `model`. Raises `RefusedError`."""
    try:
        return model.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the body"
        raise RefusedError(
            HTTPStatus.BAD_REQUEST, f"{place}: {first['msg']}.", code="invalid_type", param=place
        ) from error


@dataclass(frozen=True, slots=True)
class Speaker:
    """Whose words a request has, and in which conversation."""

    person: str = ""
    """The program's own id of the person; empty: nobody is remembered."""
    name: str = ""
    conversation: str = ""
    sends_all: bool = False
    """Whether the program names its conversation and sends all of it each time: no history is its beginning."""
    why_nobody: str = ""


def speaker_of(request: HttpRequest, key: ApiKey, body: Any) -> Speaker:
    """Return whom the key, or the request in the way that the key says, names. Raises `RefusedError` for a bad id."""
    named = request.headers.get("X-Conversation-Id") or _text((body.metadata or {}), "conversation_id")
    conversation = _id(named, "metadata.conversation_id")
    if key.speaks_for == SpeaksFor.PERSON:
        return Speaker(key.person, key.person, conversation)
    if key.speaks_for == SpeaksFor.NOBODY:
        return Speaker(conversation=conversation, why_nobody="its key remembers nobody")
    if key.speaks_for == SpeaksFor.HEADERS:
        return _by_headers(request, key.headers, conversation)
    given = request.headers.get("X-Person-Id") or _text(body, "user") or _text(body, "safety_identifier")
    person = _id(given, "user")
    return Speaker(person, "", conversation, why_nobody="" if person else "no user was sent")


def _by_headers(request: HttpRequest, headers: Mapping[str, str], conversation: str) -> Speaker:
    person, name, chat = (_header(request, headers.get(part, "")).strip() for part in SPEAKER_HEADERS)
    return Speaker(
        _id(person, "user"),
        as_name(name),
        _id(chat, "conversation") or conversation,
        sends_all=bool(chat),
        why_nobody="" if person else f"the header {headers.get('person')} was not sent",
    )


def _header(request: HttpRequest, name: str) -> str:
    """Return a header's text, which programs quote as in addresses or in base64; empty for a template left as it is."""
    value = request.headers.get(name, "") if name else ""
    if value.startswith("{{"):
        return ""
    try:
        return b64decode(value[4:], validate=True).decode() if value.startswith("b64:") else unquote(value)
    except (binascii.Error, UnicodeDecodeError):
        return value


def _text(source: Any, name: str) -> str:
    value = source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)
    return str(value) if isinstance(value, str | int) else ""


def _id(text: str, param: str) -> str:
    if len(text) > MAX_OUTSIDE_ID or not is_storable(text):
        sentence = f"An id has at most {MAX_OUTSIDE_ID} characters, and no null byte."
        raise RefusedError(HTTPStatus.BAD_REQUEST, sentence, param=param)
    return text.strip()


def newest(history: tuple[Line, ...]) -> list[Line]:
    """Return the newest lines, as they are stored with the turn."""
    lengths = accumulate(len(line.text) for line in reversed(history[-HISTORY_LINES:]))
    number = sum(length <= HISTORY_CHARACTERS for length in lengths)
    return list(history[len(history) - number :])
