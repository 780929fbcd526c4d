"""The trace beside a turn."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from characters.conversations import access
from characters.profiles.access import may_edit
from kgadmin.accounts.roles import role_required
from playground.chat import pages
from playground.chat.answering import user_of
from playground.inspector.trace import trace_in


@require_GET
@role_required("tester")
def trace(request: HttpRequest, pk: int) -> HttpResponse:
    """The trace of a turn, for the place beside the chat."""
    return render(request, "playground/_trace.html", _context(request, pk))


@require_GET
@role_required("tester")
def ending(request: HttpRequest, pk: int) -> HttpResponse:
    """The reply's stage, polled for by a trace that was shown before the reply had ended."""
    return render(request, "playground/_ending.html", _context(request, pk))


def _context(request: HttpRequest, pk: int) -> dict[str, Any]:
    user = user_of(request)
    turn = access.turn_for(user, pk)
    return {
        "trace": trace_in(pages.items(turn.conversation, turn)),
        "may_see": access.may_read_person(user, turn.conversation.person),
        "may_edit": may_edit(user, turn.conversation.character),
    }
