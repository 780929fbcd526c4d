"""The queue, a proposal, its reservation, and deciding on it, which leads to the next one with the same filter."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import Truncator
from django.views.decorators.http import require_POST, require_safe

from characters.authoring.learned.services import left_in_draft
from characters.domain.sheet import Fact
from characters.profiles.models import Predicate
from characters.review import consequences, decisions
from characters.review.decisions import ProposalVersion
from characters.review.forms import ApproveIn, DeferIn, RejectIn
from characters.review.history import to_undo_together
from characters.review.models import Decision, Proposal
from characters.review.pages import operators, page, query_of, with_undo
from characters.review.queue import ProposalFilter, address, decision_for, decisions_for, proposal_for
from characters.review.queue_page import Neighbours, statement
from characters.review.words import waits
from kgadmin.accounts.roles import PageRequest, has_role
from kgadmin.rest.actions import Refused, answer, on_page, read
from kgadmin.rest.schemas import Body


@require_safe
@operators
def queue(request: PageRequest) -> HttpResponse:
    """Waiting or decided proposals: the filter is in the address."""
    return page(request, None)


@require_safe
@operators
def proposal(request: PageRequest, pk: int) -> HttpResponse:
    """One proposal with its evidence, beside the queue."""
    return page(request, proposal_for(request.user, pk))


@require_safe
@operators
def prompts(request: PageRequest, pk: int) -> HttpResponse:
    """Which recent prompts would change, by replaying their turns: a part of the proposal's page, and its own page."""
    proposal = proposal_for(request.user, pk)
    context = {
        "proposal": proposal,
        "consequences": consequences.of(proposal),
        "may_read_turns": has_role(request.user, "tester"),
        "query": query_of(request),
    }
    return render(request, f"review/{'_' if request.htmx else ''}consequences.html", context)


@require_POST
@operators
def reserve(request: PageRequest, pk: int) -> HttpResponse:
    """Reserve it for two minutes, in which nobody else decides it. An open page renews this."""
    proposal = proposal_for(request.user, pk)
    if proposal.is_undecided:
        proposal.reserve(request.user)
    if not request.htmx:
        return redirect(address(pk, query_of(request)))
    proposal.refresh_from_db(fields=["reserved_by", "reserved_until"])
    context = {"proposal": proposal, "query": query_of(request)}
    return render(request, "review/_reservation.html", context)


@require_POST
@operators
def release(request: PageRequest, pk: int) -> HttpResponse:
    """End a reservation."""
    proposal_for(request.user, pk).release(request.user)
    return HttpResponse(status=204)


@require_POST
@operators
@on_page(proposal, anew=True)
def approve(request: PageRequest, pk: int) -> HttpResponse:
    """Let the character learn it, as it stands or edited."""
    if "object" in request.POST and not request.POST["object"].strip():
        raise Refused("Write what the character learns.")
    return _decide(request, pk, decisions.approve, ApproveIn)


@require_POST
@operators
@on_page(proposal, anew=True)
def reject(request: PageRequest, pk: int) -> HttpResponse:
    """Reject the statement for good."""
    return _decide(request, pk, decisions.reject, RejectIn)


@require_POST
@operators
@on_page(proposal, anew=True)
def defer(request: PageRequest, pk: int) -> HttpResponse:
    """Defer the decision."""
    return _decide(request, pk, decisions.defer, DeferIn)


def _decide(request: PageRequest, pk: int, decide: Callable[..., Decision], model: type[Body]) -> HttpResponse:
    proposal, values = proposal_for(request.user, pk), read(model, request.POST).dict()
    around = Neighbours.of(proposal, request.user, ProposalFilter.of(request.GET))
    decision = decide(ProposalVersion(pk, values.pop("version")), by=request.user, **values)
    until = f" {waits(decision.proposal)}" if decision.verb == Decision.Verb.DEFERRED else ""
    message = f"{decision.get_verb_display()} “{_short(decision.proposal)}”{until}."
    then = address(around.next or around.previous, query_of(request))
    return answer(request, with_undo(message, decision, query_of(request)), then)


def of_decision(request: PageRequest, pk: int) -> HttpResponse:
    """The page of the proposal that was decided."""
    return page(request, proposal_for(request.user, decision_for(request.user, pk).proposal_id))


@require_POST
@operators
@on_page(of_decision, anew=True)
def undo(request: PageRequest, pk: int) -> HttpResponse:
    """Undo one decision."""
    return _undo(request, decision_for(request.user, pk))


@require_POST
@operators
@on_page(queue, anew=True)
def undo_last(request: PageRequest) -> HttpResponse:
    """Undo this operator's last decision; if that was a batch, show it first."""
    last = decisions_for(request.user).standing().filter(by=request.user).first()
    if last is None:
        messages.info(request, "You have nothing to undo.")
        return redirect(address(None, query_of(request)))
    return to_undo_together(request, last) if last.batch else _undo(request, last)


def _undo(request: PageRequest, decision: Decision) -> HttpResponse:
    row = decisions.undo(decision, by=request.user)
    learned = Fact("", decision.after["predicate"], decision.after["object"])
    if decision.verb == Decision.Verb.APPROVED and (fact := left_in_draft(row.character, learned)):
        name = row.character.name
        warning = f"{name}’s draft still has it as {fact}. Remove it there, or the next publish makes it core."
        messages.warning(request, warning)
    return answer(request, f"“{_short(row)}” is waiting again.", address(row.pk, query_of(request)))


def _short(proposal: Proposal) -> str:
    return Truncator(statement(proposal, Predicate.objects.registry())).chars(80)
