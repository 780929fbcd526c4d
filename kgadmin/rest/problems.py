"""Errors of the API as problem+json (RFC 9457), and which of them an operation declares."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.http import JsonResponse
from ninja import Field, Schema

MEDIA_TYPE = "application/problem+json"
DEEPEST = 8
"""Parts of a place that are named: more than any operation's own values have."""


class Problem(Schema):
    """An error, by RFC 9457. `detail` is a sentence that says what happened and what to do."""

    type: str = Field(examples=["about:blank"])
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["There is no such turn."])
    errors: list[dict[str, Any]] | None = Field(None, description="Each invalid value, with its place.")


def problem(status: int, detail: str, *, headers: Mapping[str, str] | None = None, **more: Any) -> JsonResponse:
    """An error with a sentence that says what happened and what to do."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **more}
    bearer = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else {}
    return JsonResponse(body, status=status, content_type=MEDIA_TYPE, headers=bearer | dict(headers or {}))


def shortened(place: Sequence[str | int]) -> list[str | int]:
    """A place in a body, cut where it goes on below what operations take: "list.0.list.0" 900 times tells nothing."""
    return [*place] if len(place) <= DEEPEST else [*place[: DEEPEST - 1], "…"]


_ANY = (401, 403, 404, 422, 429, 503)
_CHANGING = (400, 409, 413, 415)


def reads(model: Any) -> dict[int, Any]:
    """What an operation answers that changes nothing."""
    return {200: model, **dict.fromkeys(_ANY, Problem)}


def changes(model: Any, status: int = 200) -> dict[int, Any]:
    """What an operation answers that changes something; without a model its answer is empty."""
    return {status: model, **dict.fromkeys(sorted({*_ANY, *_CHANGING}), Problem)}
