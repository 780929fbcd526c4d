"""Deciding on one proposal, and taking it back: each leads to what is read next, with the filter that was there."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from characters.authoring.learned.promoting import left_in_draft
from characters.domain.sheet import Fact
from characters.people.forms import first_error
from characters.profiles.models import Predicate
from characters.review import decisions
from characters.review.decisions import DecidedError, Seen
from characters.review.filtering import address, read
from characters.review.forms import ApproveForm, DeferForm, RejectForm
from characters.review.history import decision_for, last_decision, to_undo_together
from characters.review.listing import statement
from characters.review.models import Decision, Proposal
from characters.review.neighbours import Neighbours
from characters.review.pages import ReviewRequest, operators, page, proposal_for, query_of, short, with_undo
from characters.review.wording import DONE, waits
from kgadmin.rest.actions import Refused

UNUSABLE, MEANWHILE, NOT_LEARNABLE = 400, 409, 422
Decide = Callable[[Seen, dict[str, Any]], Decision]


@require_POST
@operators
def approve(request: ReviewRequest, pk: int) -> HttpResponse:
    """Let her learn it, as it stands or in other words."""

    def decide(seen: Seen, said: dict[str, Any]) -> Decision:
        words = {"predicate": said["predicate"], "object": said["object"]}
        return decisions.approve(seen, by=request.user, note=said["note"], **words)

    return _decide(request, pk, ApproveForm(request.POST), decide)


@require_POST
@operators
def reject(request: ReviewRequest, pk: int) -> HttpResponse:
    """Never let her learn it."""

    def decide(seen: Seen, said: dict[str, Any]) -> Decision:
        return decisions.reject(seen, by=request.user, reason=said["reason"], note=said["note"])

    return _decide(request, pk, RejectForm(request.POST), decide)


@require_POST
@operators
def defer(request: ReviewRequest, pk: int) -> HttpResponse:
    """Let it wait."""

    def decide(seen: Seen, said: dict[str, Any]) -> Decision:
        return decisions.defer(seen, by=request.user, until=said["until"])

    return _decide(request, pk, DeferForm(request.POST), decide)


def _decide(request: ReviewRequest, pk: int, form: forms.Form, decide: Decide) -> HttpResponse:
    found = proposal_for(request.user, pk)
    if not form.is_valid():
        return _refused(request, pk, first_error(form), UNUSABLE)
    then = Neighbours.of(found, request.user, read(request.GET)).to_go_on
    try:
        decision = decide(Seen(pk, form.cleaned_data["version"]), form.cleaned_data)
    except DecidedError as error:
        return _refused(request, pk, str(error), MEANWHILE)
    except Refused as error:
        return _refused(request, pk, str(error), NOT_LEARNABLE)
    until = f" {waits(decision.proposal)}" if decision.verb == Decision.Verb.DEFERRED else ""
    told = f"{DONE[decision.verb]} “{_said(decision.proposal)}”{until}."
    messages.success(request, with_undo(told, decision, query_of(request)))
    return redirect(address(then, query_of(request)))


@require_POST
@operators
def undo(request: ReviewRequest, pk: int) -> HttpResponse:
    """Take one decision back."""
    return _undo(request, decision_for(request.user, pk))


@require_POST
@operators
def undo_last(request: ReviewRequest) -> HttpResponse:
    """Take back what this operator decided last; where that was a batch, show it first."""
    last = last_decision(request.user)
    if last is None:
        messages.info(request, "There is nothing of yours to undo.")
        return redirect(address(None, query_of(request)))
    return to_undo_together(request, last) if last.batch else _undo(request, last)


def _undo(request: ReviewRequest, decision: Decision) -> HttpResponse:
    try:
        row = decisions.undo(decision, by=request.user)
    except DecidedError as error:
        return _refused(request, decision.proposal_id, str(error), MEANWHILE)
    messages.success(request, f"“{_said(row)}” waits again.")
    learned = Fact("", decision.after["predicate"], decision.after["object"])
    if decision.verb == Decision.Verb.APPROVED and (kept := left_in_draft(row.character, learned)):
        told = (
            f"{row.character.name}’s draft still has it as {kept}: remove it there, or the next publish makes it core."
        )
        messages.warning(request, told)
    return redirect(address(row.pk, query_of(request)))


def _said(proposal: Proposal) -> str:
    return short(statement(proposal, Predicate.objects.registry()))


def _refused(request: ReviewRequest, pk: int, error: str, status: int) -> HttpResponse:
    """The proposal as it is now, with the sentence, and what was typed."""
    typed = {name: value for name, value in request.POST.items() if name not in {"version", "csrfmiddlewaretoken"}}
    verb = request.resolver_match.url_name if request.resolver_match else ""
    opened = "edit" if verb == "approve" and "object" in typed else verb
    response = page(request, proposal_for(request.user, pk), status=status, error=error, typed=typed, opened=opened)
    response["HX-Push-Url"] = address(pk, query_of(request))
    return response
