"""The JSON API: every router of the features, errors as problem+json, documentation at `/api/docs`."""

from http import HTTPStatus
from typing import Any, NoReturn

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from django.urls import URLPattern, URLResolver
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.security import django_auth

ROUTERS = ["kgadmin.operations.api.router", "playground.inspector.api.router"]

api = NinjaAPI(title="kgadmin", description="Turns with their traces, and health.", version="1", auth=django_auth)


def problem(status: int, detail: str, **more: Any) -> JsonResponse:
    """An error in the form of RFC 9457, with a sentence that says what happened and what to do."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **more}
    return JsonResponse(body, status=status, content_type="application/problem+json")


@api.exception_handler(AuthenticationError)
def not_signed_in(request: HttpRequest, error: AuthenticationError) -> JsonResponse:
    return problem(401, "Sign in first: this needs the session of a signed-in user.")


@api.exception_handler(PermissionDenied)
def forbidden(request: HttpRequest, error: PermissionDenied) -> JsonResponse:
    return problem(403, str(error) or "Your account may not do this. Ask an administrator for the role.")


@api.exception_handler(Http404)
def not_found(request: HttpRequest, error: Http404) -> JsonResponse:
    return problem(404, str(error) or "There is nothing at this address. Check the id.")


@api.exception_handler(HttpError)
def http_error(request: HttpRequest, error: HttpError) -> JsonResponse:
    return problem(error.status_code, error.message)


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, error: ValidationError) -> JsonResponse:
    places = ", ".join(".".join(map(str, each["loc"])) for each in error.errors)
    return problem(422, f"The request has values that don't fit: {places}. See `errors`.", errors=error.errors)


@api.exception_handler(Exception)
def unexpected(request: HttpRequest, error: Exception) -> NoReturn:
    # Ninja's own handler turns it into a text while DEBUG is on; the middlewares are to see it always.
    raise error


for router in ROUTERS:
    api.add_router("", router)


def with_own_login(patterns: list[URLPattern | URLResolver]) -> list[URLPattern | URLResolver]:
    """Let the operations answer 401 in JSON by themselves; the documentation leads to the login page like any page."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern) and pattern.name not in {"openapi-json", "openapi-view", "api-root"}:
            pattern.callback.login_required = False  # type: ignore[attr-defined]
    return patterns


_patterns, _app, _namespace = api.urls
api_urls = (with_own_login(_patterns), _app, _namespace)
