"""Shared parts of every action, from a page's form or the API."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from inspect import signature
from typing import Any, TypeVar, get_origin

from django.contrib import messages
from django.db import models
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import resolve
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import url_has_allowed_host_and_scheme
from pydantic import BaseModel, ValidationError

from kgadmin.rest.schemas import problem
from kgadmin.stores.errors import StoreError

Page = Callable[..., HttpResponse]
Model = TypeVar("Model", bound=BaseModel)
Row = TypeVar("Row", bound=models.Model)
Action = TypeVar("Action", bound=Callable[..., Any])

RETRY_AFTER_SECONDS = "5"
SENTENCES = {
    "missing": "Fill in: {name}.",
    "string_too_short": "Fill in: {name}.",
    "string_too_long": "{name} is too long: it has at most {max_length} characters.",
    "literal_error": "{name} is one of {expected}.",
    "greater_than_equal": "{name} is {ge:g} or more.",
    "less_than_equal": "{name} is {le:g} or less.",
    "date_from_datetime_parsing": "{name} is a day, such as 2026-11-30.",
    "float_parsing": "{name} is a number.",
    "int_parsing": "{name} is a whole number.",
    "finite_number": "{name} is a number.",
    "enum": "{name} is one of {expected}.",
}
"""Sentences on invalid values, by pydantic's kind of error; for other kinds pydantic's message is shown."""


class Refused(Exception):
    """An action that is refused: why and what to do, the HTTP status, seconds to wait, the field it is about."""

    status = 422

    def __init__(self, sentence: str, *, status: int = 0, retry_after: int = 0, field: str = "") -> None:
        super().__init__(sentence)
        self.status = status or self.status
        self.retry_after = retry_after
        self.field = field

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers of the answer: Retry-After, if there are seconds to wait."""
        return {"Retry-After": str(self.retry_after)} if self.retry_after else {}


def first_or_404(rows: "QuerySet[Row]", message: str) -> Row:
    """Return the first row; 404 with the message if there is none."""
    row = rows.first()
    if row is None:
        raise Http404(message)
    return row


def read(model: type[Model], form: QueryDict, **labels: str) -> Model:
    """Validate a page's form; empty fields count as missing, and errors use `labels`. Raises `Refused`."""
    sent: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        if value := form.getlist(name) if get_origin(field.annotation) is list else form.get(name, "").strip():
            sent[name] = value
    try:
        return model.model_validate(sent)
    except ValidationError as error:
        errors = error.errors()
        raise Refused(" ".join(_sentence(each, labels) for each in errors), field=_field(errors[0])) from None


def _field(error: Mapping[str, Any]) -> str:
    return str(next(iter(error["loc"]), ""))


def _sentence(error: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    message = str(error["ctx"]["error"]) if error["type"] == "value_error" else error["msg"]
    if message.endswith("."):  # a sentence of our own
        return message
    field = _field(error) or "this"
    name = labels.get(field, field.replace("_", " ").capitalize())
    template = SENTENCES.get(error["type"], "{name}: {msg}.")
    return template.format(name=name, msg=message, **error.get("ctx", {}))


def on_page(page: Page | None = None, *, anew: bool = False) -> Callable[[Action], Action]:
    """Decorate an action so that a refusal is shown on `page`, the view with its form (default: the action itself).

    The page is rendered again with the address's arguments that it takes and what was typed in `request.POST`.
    htmx gets only the message, and leaves the page as it is; with `anew` it gets the page, which may have changed.
    """

    def mark(action: Action) -> Action:
        action.page, action.anew = page or action, anew  # type: ignore[attr-defined]
        return action

    return mark


def answer(
    request: HttpRequest, message: str, to: Any, *args: Any, part: str = "", context: Mapping[str, Any] | None = None
) -> HttpResponse:
    """Answer a finished action: redirect to `to`, or render `part` for htmx, with the message."""
    if part and _is_htmx(request):
        response = render(request, part, {**(context or {}), "message": message})
        response.write(_toasts(request))
        return response
    if message:
        messages.success(request, message)
    return redirect(to, *args)


def back(request: HttpRequest, otherwise: str = "") -> str:
    """Return where a page or form leads back to (`next`): an address of this site, else `otherwise`."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_ours else otherwise


class RefusedMiddleware(MiddlewareMixin):
    """Shows the `Refused` or `StoreError` that a view raised; the API has its own handler for `Refused`."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, StoreError):
            return _unavailable(request, exception)
        if not isinstance(exception, Refused):
            return None
        response = _refused(request, exception)
        response.status_code = exception.status if response.status_code == HTTPStatus.OK else response.status_code
        for name, value in exception.headers.items():
            response[name] = value
        return response


def _unavailable(request: HttpRequest, error: StoreError) -> HttpResponse:
    headers = {"Retry-After": RETRY_AFTER_SECONDS} if error.retryable else {}
    if request.path.startswith("/api/"):
        return problem(503, error.message, headers=headers)
    template = "_unavailable.html" if _is_htmx(request) else "503.html"
    response = render(request, template, {"message": error.message}, status=503)
    for name, value in headers.items():
        response[name] = value
    return response


def _refused(request: HttpRequest, error: Refused) -> HttpResponse:
    view, _, given = request.resolver_match or resolve(request.path_info)
    messages.error(request, str(error), extra_tags=error.field)
    if _is_htmx(request) and not getattr(view, "anew", False):  # the page stays as it is, with what was typed
        return HttpResponse(_toasts(request), headers={"HX-Reswap": "none"})
    page: Page | None = getattr(view, "page", None)
    if page is None and (came_from := back(request)):
        return redirect(came_from)
    if page is None:
        return render(request, "refused.html")
    request.POST.dict()  # reads the form now: Django doesn't read it once the method is GET
    request.method = "GET"
    try:
        return page(request, **{name: given[name] for name in signature(page).parameters if name in given})
    except (Refused, StoreError):  # the page can't be shown either
        return render(request, "refused.html")


def _is_htmx(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))


def _toasts(request: HttpRequest) -> bytes:
    return render(request, "_messages.html", {"swapped": True}).content
