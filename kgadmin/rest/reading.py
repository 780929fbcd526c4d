"""Reading a request's body: JSON, whole, of a bounded size."""

import json
from typing import Any, NoReturn

from django.conf import settings
from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from ninja.errors import HttpError
from ninja.parser import Parser


class StrictParser(Parser):
    """Says what is wrong with a body. Ninja puts an error of its own around these; `kgadmin.api` takes it off."""

    def parse_body(self, request: HttpRequest) -> Any:
        """What the body holds."""
        if request.content_type != "application/json":
            _unsupported(request, "JSON, sent as application/json")
        if len(request.body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:  # of a body whose length wasn't said
            raise HttpError(413, too_large())
        try:
            return json.loads(request.body, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise HttpError(400, f"The body is no whole JSON ({_reason(error)}). Send it again, complete.") from error

    def parse_querydict(
        self, data: "MultiValueDict[str, Any]", list_fields: list[str], request: HttpRequest
    ) -> dict[str, Any]:
        """The parameters, the form's fields, or the files."""
        if data is request.FILES and request.content_type != "multipart/form-data":
            _unsupported(request, "a form with files, sent as multipart/form-data")
        return super().parse_querydict(data, list_fields, request)


def too_large() -> str:
    """The sentence for a body that isn't read because of its size."""
    return f"The body is too large: at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 1e6:.1f} MB are taken."


def _unsupported(request: HttpRequest, wanted: str) -> NoReturn:
    raise HttpError(415, f"The body must be {wanted}, not as {request.content_type or 'nothing'}.")


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg.lower()}"
    return "nested too deeply" if isinstance(error, RecursionError) else "not UTF-8, or a number that is none"
