"""The trace beside a turn."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from characters.conversations import access
from characters.profiles.access import may_edit
from characters.review import examination
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


@require_POST
@role_required("tester")
def propose(request: PageRequest, pk: int) -> HttpResponse:
    """Read a reply once more for what the character says of themself, and leave it for an operator."""
    turn = access.turn_for(request.user, pk)
    statements = statements_of(turn)
    if statements is None or turn.reply is None or not statements.may_propose:
        messages.warning(request, statements.why_not if statements else "There is no reply to read.")
        return redirect("playground:turn", pk)
    problem = " ".join(examination.examine(turn.reply))
    claims = turn.reply.claims.select_related("proposal")
    waiting = [str(claim) for claim in claims if claim.proposal and claim.proposal.is_undecided]
    if waiting:
        messages.success(request, f"Proposed: {', '.join(waiting)}.")
    else:
        messages.warning(request, "Nothing new was proposed: see below what became of each statement.")
    if problem:
        messages.warning(request, f"The reply was read by patterns alone. {problem}")
    return redirect(f"{reverse('playground:stage', args=[pk, 'reply'])}#stage-reply")


def _context(request: PageRequest, pk: int) -> dict[str, Any]:
    user = request.user
    turn = access.turn_for(user, pk)
    return {
        "trace": trace_in(pages.items(turn.conversation, turn)),
        "may_see": access.may_read_person(user, turn.conversation.person),
        "may_edit": may_edit(user, turn.conversation.character),
        "may_review": has_role(user, "operator"),
    }
