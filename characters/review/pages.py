"""Shared parts of the queue's views: permissions, the responding page, the toast with Undo."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.html import format_html

from characters.people.pages import number
from characters.review.decisions import REASONS
from characters.review.evidence import gather
from characters.review.forms import UNTIL
from characters.review.models import Decision, Proposal
from characters.review.queue import ProposalFilter, address, waiting
from characters.review.queue_page import Listing
from kgadmin.accounts.roles import PageRequest, has_role, role_required

operators = role_required("operator")
PANE = "proposal"


def page(request: PageRequest, proposal: Proposal | None) -> HttpResponse:
    """Return the queue beside a proposal: the whole page, or the part that htmx asks for."""
    wanted = ProposalFilter.of(request.GET)
    is_part = bool(request.htmx) and not request.htmx.history_restore_request
    context: dict[str, Any] = {"reasons": REASONS, "until": UNTIL, "is_part": is_part, **_typed(request)}
    if proposal is not None:
        context["evidence"] = gather(proposal, request.user, wanted)
        context["may_trace"] = has_role(request.user, "tester")
    if is_part and request.htmx.target == PANE:
        context["query"] = query_of(request)
        template = "review/_pane.html"
    else:
        listing = Listing(request.user, wanted, request.GET.get("page"))
        context |= {"listing": listing, "query": listing.query}
        context |= {"waiting": waiting(request.user)} if is_part else {}
        template = f"review/review.html{'#review' if is_part else ''}"
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    if request.POST:  # it was refused
        response["HX-Push-Url"] = address(proposal.pk if proposal else None, query_of(request))
    return response


def _typed(request: PageRequest) -> dict[str, Any]:
    """Return the input of the refused decision's form."""
    typed = {name: value for name, value in request.POST.items() if name not in {"version", "csrfmiddlewaretoken"}}
    verb = request.resolver_match.url_name if request.POST and request.resolver_match else ""
    return {"typed": typed, "open_form": "edit" if verb == "approve" and "object" in typed else verb}


def query_of(request: HttpRequest) -> str:
    """Return the query of this address: filter and page of the queue."""
    return ProposalFilter.of(request.GET).query(number(request.GET.get("page", "")) or 1)


def with_undo(message: str, decision: Decision, query: str) -> str:
    """Return a toast with the button that undoes this decision."""
    button = (
        '{} <button class="button plain" type="submit" form="undo" formaction="{}" hx-post="{}" hx-target="#review" '
        'hx-swap="outerHTML" hx-push-url="true" hx-sync="#undo:drop" data-key="u">Undo <kbd>u</kbd></button>'
    )
    where = reverse("review:undo", args=[decision.pk]) + query
    return format_html(button, message, where, where)
