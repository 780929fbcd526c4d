"""What a request gets that nobody could answer: the database is away, or the program made a mistake."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error as mistake

from characters.talk.openai.errors import RefusedError
from kgadmin.rest.problems import problem

RETRY_AFTER_SECONDS = 5
SENTENCE = "The database does not answer. What was saved before is safe; try again in some seconds."
MISTAKE = "Something went wrong on the server. Its log has the details; tell whoever runs it."


def server_error(request: HttpRequest) -> HttpResponse:
    """503 with a sentence where the database is away, else 500. Asks the database nothing, not even who is there."""
    if not isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return problem(500, MISTAKE) if request.path.startswith("/api/") else mistake(request)
    if request.path.startswith("/v1/"):
        return RefusedError(503, SENTENCE, code="database_away", retry_after=RETRY_AFTER_SECONDS).response()
    headers = {"Retry-After": str(RETRY_AFTER_SECONDS)}
    if request.path.startswith("/api/"):
        return problem(503, SENTENCE, headers=headers)
    template = "_unavailable.html" if "HX-Request" in request.headers else "503.html"
    return HttpResponse(render_to_string(template, {"message": SENTENCE}), status=503, headers=headers)
