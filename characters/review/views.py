"""The queue, a proposal, who reads it, and deciding on it, which leads to what is read next with the same filter."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from characters.authoring.learned.promotion import left_in_draft
from characters.domain.sheet import Fact
from characters.profiles.models import Predicate
from characters.review import consequences, decisions, filters
from characters.review.decisions import Seen
from characters.review.filters import address
from characters.review.forms import ApproveIn, DeferIn, RejectIn
from characters.review.history import last_decision, to_undo_together
from characters.review.listing import Reservation, statement
from characters.review.models import Decision, Proposal
from characters.review.neighbours import Neighbours
from characters.review.pages import operators, page, query_of, short, with_undo
from characters.review.queue import decision_for, proposal_for
from characters.review.words import DONE, waits
from kgadmin.accounts.roles import PageRequest, has_role
from kgadmin.rest.actions import Refused, answer, on_page, read
from kgadmin.rest.schemas import Body


@require_safe
@operators
def queue(request: PageRequest) -> HttpResponse:
    """What waits, or was decided: the filter is in the address."""
    return page(request, None)


@require_safe
@operators
def proposal(request: PageRequest, pk: int) -> HttpResponse:
    """One proposal with its evidence, beside the queue."""
    return page(request, proposal_for(request.user, pk))


@require_safe
@operators
def prompts(request: PageRequest, pk: int) -> HttpResponse:
    """Which recent turns' prompts would be others, replayed: a part of the proposal's page, and a page of its own."""
    found = proposal_for(request.user, pk)
    may_read = has_role(request.user, "tester")
    context = {
        "proposal": found,
        "found": consequences.of(found),
        "may_read_turns": may_read,
        "query": query_of(request),
    }
    return render(request, f"review/{'_' if request.htmx else ''}consequences.html", context)


@require_POST
@operators
def reserve(request: PageRequest, pk: int) -> HttpResponse:
    """Say that one reads it: for two minutes nobody else decides it. The page says so again while it shows."""
    found = proposal_for(request.user, pk)
    if found.is_undecided:
        found.reserve(request.user)
    if not request.htmx:
        return redirect(address(pk, query_of(request)))
    found.refresh_from_db(fields=["reserved_by", "reserved_until"])
    context = {"reserved": Reservation.of(found, request.user), "proposal": found, "query": query_of(request)}
    return render(request, "review/_reservation.html", context)


@require_POST
@operators
def release(request: PageRequest, pk: int) -> HttpResponse:
    """Say that one reads it no more."""
    proposal_for(request.user, pk).release(request.user)
    return HttpResponse(status=204)


@require_POST
@operators
@on_page(proposal, anew=True)
def approve(request: PageRequest, pk: int) -> HttpResponse:
    """Let her learn it, as it stands or in other words."""
    if "object" in request.POST and not request.POST["object"].strip():
        raise Refused("Write what she learns.")
    return _decide(request, pk, decisions.approve, ApproveIn)


@require_POST
@operators
@on_page(proposal, anew=True)
def reject(request: PageRequest, pk: int) -> HttpResponse:
    """Never let her learn it."""
    return _decide(request, pk, decisions.reject, RejectIn)


@require_POST
@operators
@on_page(proposal, anew=True)
def defer(request: PageRequest, pk: int) -> HttpResponse:
    """Let it wait."""
    return _decide(request, pk, decisions.defer, DeferIn)


def _decide(request: PageRequest, pk: int, decide: Callable[..., Decision], model: type[Body]) -> HttpResponse:
    found, given = proposal_for(request.user, pk), read(model, request.POST).dict()
    then = Neighbours.of(found, request.user, filters.read(request.GET)).to_go_on
    decision = decide(Seen(pk, given.pop("version")), by=request.user, **given)
    until = f" {waits(decision.proposal)}" if decision.verb == Decision.Verb.DEFERRED else ""
    told = f"{DONE[decision.verb]} “{_said(decision.proposal)}”{until}."
    return answer(request, with_undo(told, decision, query_of(request)), address(then, query_of(request)))


def of_decision(request: PageRequest, pk: int) -> HttpResponse:
    """The page of the proposal that was decided."""
    return page(request, proposal_for(request.user, decision_for(request.user, pk).proposal_id))


@require_POST
@operators
@on_page(of_decision, anew=True)
def undo(request: PageRequest, pk: int) -> HttpResponse:
    """Take one decision back."""
    return _undo(request, decision_for(request.user, pk))


@require_POST
@operators
@on_page(queue, anew=True)
def undo_last(request: PageRequest) -> HttpResponse:
    """Take back what this operator decided last; where that was a batch, show it first."""
    last = last_decision(request.user)
    if last is None:
        messages.info(request, "There is nothing of yours to undo.")
        return redirect(address(None, query_of(request)))
    return to_undo_together(request, last) if last.batch else _undo(request, last)


def _undo(request: PageRequest, decision: Decision) -> HttpResponse:
    row = decisions.undo(decision, by=request.user)
    learned = Fact("", decision.after["predicate"], decision.after["object"])
    if decision.verb == Decision.Verb.APPROVED and (kept := left_in_draft(row.character, learned)):
        told = (
            f"{row.character.name}’s draft still has it as {kept}: remove it there, or the next publish makes it core."
        )
        messages.warning(request, told)
    return answer(request, f"“{_said(row)}” waits again.", address(row.pk, query_of(request)))


def _said(proposal: Proposal) -> str:
    return short(statement(proposal, Predicate.objects.registry()))
