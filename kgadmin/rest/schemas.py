"""Shared parts of all schemas: values, bodies without unknown fields, pages of lists, problems."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any, Generic, TypeVar

from django.db.models import QuerySet
from django.http import JsonResponse
from ninja import Field, Path, Query, Schema
from pydantic import AfterValidator, ConfigDict

T = TypeVar("T")
DEFAULT_LIMIT = 50
MAX_LIMIT = 200
MEDIA_TYPE = "application/problem+json"
MAX_ID = 2**63 - 1
"""The largest id that a database stores."""


def storable(text: str) -> str:
    """Return `text` if every store can hold it. Raises `ValueError`."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("it contains a null byte or half of a character, which can't be stored. Remove it")
    return text


def one_line(text: str) -> str:
    """Return the text with each run of white space as one blank."""
    return " ".join(text.split())


Id = Annotated[int, Field(ge=1, le=MAX_ID, examples=[1])]
Text = Annotated[str, AfterValidator(storable)]
Line = Annotated[Text, AfterValidator(one_line)]
Slug = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]+$", max_length=60)]
PathId = Annotated[int, Path(ge=1, le=MAX_ID, examples=[1])]
Character = Annotated[str, Path(pattern=r"^[-a-zA-Z0-9_]+$", max_length=60, examples=["elena"])]
Base = Annotated[str, Path(pattern=r"^[-a-zA-Z0-9_]+$", max_length=60, examples=["marine_biology"])]


class Body(Schema):
    """A body that refuses unknown fields: most likely misspelt ones."""

    model_config = ConfigDict(extra="forbid")


class Slice(Schema):
    """The requested part of a list."""

    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT, description="Maximum number of items.")
    offset: int = Field(0, ge=0, le=2**31 - 1, description="Number of items to skip.")


Paging = Annotated[Slice, Query(...)]


class Page(Schema, Generic[T]):
    """Part of a list. `total` counts all items that match."""

    items: list[T]
    total: int = Field(examples=[1])
    limit: int = Field(examples=[DEFAULT_LIMIT])
    offset: int = Field(examples=[0])


def page(rows: "QuerySet[Any] | Sequence[Any]", paging: Slice, shown: Callable[[Any], Any] | None = None) -> Any:
    """Return the requested rows, each through `shown`, for an operation that answers with a `Page`."""
    total = rows.count() if isinstance(rows, QuerySet) else len(rows)
    items = list(rows[paging.offset : paging.offset + paging.limit])
    return {
        "items": [shown(row) for row in items] if shown else items,
        "total": total,
        "limit": paging.limit,
        "offset": paging.offset,
    }


class Problem(Schema):
    """An error, by RFC 9457. `detail` is a sentence that says what happened and what to do."""

    type: str = Field(examples=["about:blank"])
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["There is no such turn."])
    errors: list[dict[str, Any]] | None = Field(None, description="Each invalid value, with its place.")


_RENAMED = {413: "Content Too Large", 422: "Unprocessable Content"}
"""Reason phrases of RFC 9110, which `http` has since Python 3.13."""


def reason_phrase(status: int) -> str:
    """Return the standard phrase of an HTTP status, the same with every Python."""
    return _RENAMED.get(status) or HTTPStatus(status).phrase


def problem(status: int, detail: str, *, headers: Mapping[str, str] | None = None, **more: Any) -> JsonResponse:
    """Return an error as problem+json; `detail` is a sentence that says what happened and what to do."""
    body = {"type": "about:blank", "title": reason_phrase(status), "status": status, "detail": detail, **more}
    bearer = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else {}
    return JsonResponse(body, status=status, content_type=MEDIA_TYPE, headers=bearer | dict(headers or {}))


_ANY = (401, 403, 404, 422, 429, 503)
_CHANGING = (400, 409, 413, 415)


def reads(model: Any) -> dict[int, Any]:
    """Return the value for `response=` of an operation that changes nothing."""
    return {200: model, **dict.fromkeys(_ANY, Problem)}


def changes(model: Any, status: int = 200) -> dict[int, Any]:
    """Return the value for `response=` of an operation that changes something; without `model` it has no body."""
    return {status: model, **dict.fromkeys(sorted({*_ANY, *_CHANGING}), Problem)}
