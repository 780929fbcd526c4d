"""The queue, a proposal, and who reads it. What is decided on it is in `deciding`."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from characters.review import consequences
from characters.review.filtering import address
from characters.review.listing import Reservation
from characters.review.pages import operators, page, query_of
from characters.review.queue import proposal_for
from kgadmin.accounts.roles import PageRequest, has_role


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
