"""The trace beside a turn."""

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from kgadmin.accounts.models import User
from kgadmin.accounts.roles import role_required
from playground.chat import pages
from playground.inspector.trace import trace_of


@require_GET
@role_required("tester")
def trace(request: HttpRequest, pk: int) -> HttpResponse:
    """The trace of a turn, for the place beside the chat."""
    turn = pages.turn_for(cast(User, request.user), pk)
    turns = pages.items(turn.conversation, turn)
    place = next(place for place, item in enumerate(turns) if item.current)
    before = turns[place - 1].turn if place else None
    after = turns[place + 1].turn if place + 1 < len(turns) else None
    view = trace_of(turn, number=place + 1, before=before, after=after)
    return render(request, "playground/_trace.html", {"trace": view, "character": turn.conversation.character})
