"""The trace beside a turn."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from characters.conversations import access
from characters.profiles.access import may_edit
from kgadmin.accounts.roles import PageRequest, has_role, role_required
from playground.chat import pages
from playground.inspector.statements import statements_of
from playground.inspector.trace import trace_in


@require_GET
@role_required("tester")
def trace(request: PageRequest, pk: int) -> HttpResponse:
    """The trace of a turn, for the place beside the chat."""
    return render(request, "playground/_trace.html", _context(request, pk))


@require_GET
@role_required("tester")
def ending(request: PageRequest, pk: int) -> HttpResponse:
    """The reply's stage, polled for by a trace that was shown before the reply had ended."""
    return render(request, "playground/_ending.html", _context(request, pk))


@require_GET
@role_required("tester")
def stated(request: PageRequest, pk: int) -> HttpResponse:
    """What the character said of themself; nothing new (204) for a trace that asks while the reply is being read."""
    turn = access.turn_for(request.user, pk)
    statements = statements_of(turn)
    if request.htmx and (statements is None or statements.unexamined):
        return HttpResponse(status=204)
    context = {"turn": turn, "statements": statements, "may_review": has_role(request.user, "operator")}
    return render(request, "playground/_examined.html", context)


def _context(request: PageRequest, pk: int) -> dict[str, Any]:
    user = request.user
    turn = access.turn_for(user, pk)
    return {
        "trace": trace_in(pages.items(turn.conversation, turn)),
        "may_see": access.may_read_person(user, turn.conversation.person),
        "may_edit": may_edit(user, turn.conversation.character),
        "may_review": has_role(user, "operator"),
    }
