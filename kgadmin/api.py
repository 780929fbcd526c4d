"""The JSON API: every feature's router, errors as problem+json, documentation at `/api/docs`."""

import json
import re
from functools import cache, partial
from typing import Any, NoReturn, cast

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, JsonResponse, RawPostDataException
from django.http.multipartparser import MultiPartParserError
from django.urls import URLPattern, re_path
from django.views.generic import RedirectView
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.parser import Parser

from kgadmin.accounts.doors import door
from kgadmin.rest.actions import Refused
from kgadmin.rest.schemas import MEDIA_TYPE, problem, reason_phrase

ROUTERS = [
    "kgadmin.accounts.api.router",
    "kgadmin.accounts.api.keys_router",
    "characters.cards.api.router",  # before the address of a character, which "import" could be
    "characters.profiles.api.router",
    "characters.authoring.editing.api.router",
    "characters.authoring.suggestions.api.router",
    "characters.authoring.learned.api.router",
    "characters.authoring.lint.api.router",
    "characters.profiles.base_api.router",
    "kgadmin.knowledge.ingestion_api.router",  # before the address of a document, which "failed" could be
    "kgadmin.knowledge.api.router",
    "playground.routing.api.router",
    "characters.people.api.router",
    "characters.people.fact_api.router",
    "characters.people.entity_api.router",
    "characters.people.explore_api.router",
    "playground.chat.api.router",
    "characters.conversations.api.router",
    "characters.memory.enrichment.api.router",
    "kgadmin.jobs.api.router",
    "characters.review.decision_api.router",  # before the address of a proposal, which "decide" could be
    "characters.review.api.router",
    "kgadmin.operations.api.router",
]

DESCRIPTION = """\
What the pages show and do, for programs.

**Who may ask.** An API key in the header `Authorization: Bearer kg-…`, of the scope *read* for GET and of the scope
*write* for everything else, or the session of a signed-in browser (with `X-CSRFToken` for everything but GET). A key
acts with its owner's roles; each operation says which role it needs. A key never stands in an address.

**What only pages do.** Inviting, giving roles, switching accounts on, links, passwords, making keys: who may come in is
decided by somebody who is signed in. So a leaked key can't make itself another way in. What only takes access away, a
key may do: it switches accounts off and revokes keys.

**Lists** take `limit` and `offset`, and answer with `items` and `total`.

**Errors** are `application/problem+json`: `detail` is a sentence that says what happened and what to do, `errors` names
each value that doesn't fit. 429 and 503 say in `Retry-After` when to try again.

To talk to characters out of a chat program, use `/v1`, which speaks OpenAI's protocol.
"""
TAGS = {
    "accounts": "Who signs in, with which roles; your own account.",
    "keys": "Programs and their API keys.",
    "characters": "Who answers: sheets and their revisions.",
    "drafts": "Writing a character: drafts, suggestions, lint, publishing.",
    "knowledge": "Knowledge bases, documents, chunks.",
    "routing": "What a turn would do with a message; labelled messages and runs over them.",
    "learning": "What characters say about themselves, and what operators let them learn.",
    "people": "People that characters talk to, and what is remembered about them.",
    "conversations": "Talking as a tester: conversations and their turns.",
    "turns": "Turns with their traces.",
    "imports": "Conversations from other programs.",
    "enrichment": "How messages relate: runs, and the relations that they found.",
    "jobs": "Background work.",
    "audit": "Who did what to what, when and why.",
    "operations": "The dashboard and drift.",
    "health": "Health of all parts.",
}


NO_JSON = "The body must be JSON, sent as application/json."


class StrictParser(Parser):
    """Reads JSON bodies only. Ninja wraps the errors of its parser in its own."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the parsed body. Raises `HttpError`."""
        if request.content_type != "application/json":
            raise HttpError(415, NO_JSON)
        try:
            return json.loads(request.body, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise HttpError(400, f"The body isn't complete JSON ({error}). Send it again.") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


class Api(NinjaAPI):
    """Ninja's API with problem+json in its OpenAPI document, which is cached: making it takes a second."""

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        """Return the OpenAPI document. It is shared: callers mustn't change it."""
        return self._document(self.get_root_path(path_params or {}) if path_prefix is None else path_prefix)

    @cache  # noqa: B019  the one instance lives as long as the process
    def _document(self, path_prefix: str) -> OpenAPISchema:
        schema = super().get_openapi_schema(path_prefix=path_prefix)
        for path, operations in schema["paths"].items():
            for method, operation in operations.items():
                # By its address, not by the module that answers: generated clients outlive the rooms of this program.
                operation["operationId"] = "_".join([method, *re.findall(r"\w+", path.removeprefix("/api"))])
                _as_problems(operation["responses"])
        return schema


def _as_problems(responses: dict[int, dict[str, Any]]) -> None:
    for status, response in responses.items():
        response["description"] = reason_phrase(int(status))
        if int(status) >= 400:
            response["content"] = {MEDIA_TYPE: response["content"]["application/json"]}


api = Api(
    title="kgadmin",
    description=DESCRIPTION,
    version="1",
    auth=door(),
    parser=StrictParser(),
    openapi_extra={"tags": [{"name": name, "description": text} for name, text in TAGS.items()]},
)


FIXED: dict[type[Exception], tuple[int, str]] = {
    AuthenticationError: (
        401,
        "Sign in, or send an API key in the header “Authorization: Bearer kg-…” (not in the address).",
    ),
    RequestDataTooBig: (
        413,
        f"The body is too large: at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 1e6:.1f} MB are allowed.",
    ),
    RawPostDataException: (415, NO_JSON),
    **dict.fromkeys(
        (BadRequest, SuspiciousOperation, MultiPartParserError),
        (400, "The request's body doesn't match its content type. Send it again, complete."),
    ),
}
"""Status and sentence of the answer, by the error that an operation raises."""


def _answer_fixed(request: HttpRequest, error: Exception, *, status: int, sentence: str) -> JsonResponse:
    return problem(status, sentence)


for kind, (status, sentence) in FIXED.items():
    api.add_exception_handler(kind, partial(_answer_fixed, status=status, sentence=sentence))


@api.exception_handler(Refused)
def refused(request: HttpRequest, error: Refused) -> JsonResponse:
    return problem(error.status, str(error), headers=error.headers)


@api.exception_handler(PermissionDenied)
def forbidden(request: HttpRequest, error: PermissionDenied) -> JsonResponse:
    return problem(403, str(error) or "Your account isn't allowed to do this. Ask an administrator for the role.")


@api.exception_handler(Http404)
def not_found(request: HttpRequest, error: Http404) -> JsonResponse:
    # Django's own sentence names a model and a query, which mean nothing to a reader.
    sentence = "" if "matches the given query" in str(error) else str(error)
    return problem(404, sentence or "Not found. Check the id.")


@api.exception_handler(HttpError)
def http_error(request: HttpRequest, error: HttpError) -> JsonResponse:
    cause = error.__cause__ if isinstance(error.__cause__, HttpError) else error  # Ninja wraps what its parser raises
    return problem(cause.status_code, cause.message)


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, error: ValidationError) -> JsonResponse:
    places = "; ".join(f"{'.'.join(map(str, each['loc'][1:])) or 'the body'}: {each['msg']}" for each in error.errors)
    return problem(422, f"The request has invalid values. {places}", errors=error.errors)


@api.exception_handler(Exception)
def unexpected(request: HttpRequest, error: Exception) -> NoReturn:
    # While DEBUG is on, Ninja's handler would answer with text, and the middleware would never see the error.
    raise error


for router in ROUTERS:
    api.add_router("", router)


def _add_roles(operation: Operation) -> None:
    roles = next((each.roles for each in operation.auth_callbacks if hasattr(each, "roles")), None)
    if roles is None:
        who = "Needs no sign-in."
    else:
        who = f"For the role {' or '.join(roles)}." if roles else "For every signed-in account."
    if who not in (operation.description or ""):
        operation.description = f"{operation.description or ''}\n\n{who}".strip()


@login_not_required
def nothing_there(request: HttpRequest) -> JsonResponse:
    """Answer 404 for any other address below `/api/`."""
    return problem(404, "There is nothing at this address. /api/docs lists all operations.")


nothing_there.csrf_exempt = True  # type: ignore[attr-defined]  # whatever the method, there is nothing to protect


for bound in api._get_bound_routers():
    for path_view in bound.path_operations.values():
        for operation in path_view.operations:
            _add_roles(operation)

_patterns, _app, _namespace = api.urls
for pattern in cast(list[URLPattern], _patterns):
    if pattern.name == "api-root":
        pattern.callback = RedirectView.as_view(pattern_name="api-1:openapi-view")
    elif pattern.name not in {"openapi-json", "openapi-view"}:  # these lead to the login page like any page
        login_not_required(cast(Any, pattern.callback))  # an operation answers 401 by itself
api_urls = ([*_patterns, re_path(r"^.+$", nothing_there, name="nothing")], _app, _namespace)
