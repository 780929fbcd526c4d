"""The trace beside a turn."""

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from kgadmin.accounts.models import User
from kgadmin.accounts.roles import role_required
from playground.chat import pages
from playground.inspector.trace import trace_in


@require_GET
@role_required("tester")
def trace(request: HttpRequest, pk: int) -> HttpResponse:
    """The trace of a turn, for the place beside the chat."""
    turn = pages.turn_for(cast(User, request.user), pk)
    return render(request, "playground/_trace.html", {"trace": trace_in(pages.items(turn.conversation, turn))})


@require_GET
@role_required("tester")
def ending(request: HttpRequest, pk: int) -> HttpResponse:
    """The reply's stage, polled for by a trace that was shown before the reply had ended."""
    turn = pages.turn_for(cast(User, request.user), pk)
    return render(request, "playground/_ending.html", {"trace": trace_in(pages.items(turn.conversation, turn))})
