"""The history of decisions, and who approved what a character learned."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from characters.people.pages import number
from characters.profiles.access import character_for
from characters.profiles.models import Character, LearnedFact, Predicate
from characters.review.evidence import Press
from characters.review.models import Batch, Decision
from characters.review.pages import operators
from characters.review.queue import decisions_for
from characters.review.queue_page import Registry
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import PageRequest, has_role, role_required

PRESSES_A_PAGE = 50
MOST_APPROVALS = 1_000
"""Approvals on the page of a character's learned facts."""


@require_safe
@operators
def decisions(request: PageRequest) -> HttpResponse:
    """All decisions, the newest first: `?by=`, `?verb=`, `?page=`."""
    by, verb = number(request.GET.get("by", "")), request.GET.get("verb", "")
    rows = _presses(request.user)
    rows = rows.filter(by=by) if by else rows
    rows = rows.filter(verb=verb) if verb in Decision.Verb.values else rows
    shown: Page[Decision] = Paginator(rows, PRESSES_A_PAGE).get_page(request.GET.get("page"))
    people = User.objects.filter(Exists(Decision.objects.filter(by=OuterRef("pk")))).order_by("username")
    registry = Predicate.objects.registry()
    context = {
        "page": shown,
        "presses": [_press(row, registry) for row in shown],
        "people": people,
        "by": by,
        "verb": verb,
        "verbs": Decision.Verb.choices,
    }
    return render(request, "review/decisions.html", context)


def to_undo_together(request: PageRequest, decision: Decision) -> HttpResponse:
    """Redirect to the page where a batch is undone: one key press doesn't undo hundreds unseen."""
    done = Batch.objects.filter(key=decision.batch).exclude(state=Batch.State.STARTED).first()
    where = reverse("review:batch", args=[done.pk]) if done else reverse("review:decisions")
    messages.info(request, "Your last decision was a batch. Undo it here.")
    return HttpResponseClientRedirect(where) if request.htmx else redirect(where)


def _presses(user: User) -> QuerySet[Decision]:
    """Return the last decision of each action, with how many there were and how many can be undone."""
    of_batch = Decision.objects.filter(batch=OuterRef("batch")).exclude(batch="").order_by()
    standing = of_batch.standing()
    rows = decisions_for(user).filter(Q(batch="") | ~Exists(of_batch.filter(pk__gt=OuterRef("pk"))))
    counted = rows.annotate(
        of_batch=Subquery(of_batch.values("batch").annotate(count=Count("pk")).values("count")),
        of_batch_standing=Subquery(standing.values("batch").annotate(count=Count("pk")).values("count")),
        stands=Exists(Decision.objects.standing().filter(pk=OuterRef("pk"))),
        report=Subquery(Batch.objects.filter(key=OuterRef("batch")).exclude(key="").values("pk")[:1]),
    )
    return counted.select_related("proposal", "proposal__character", "by").defer("proposal__vector").order_by("-pk")


def _press(row: Any, registry: Registry) -> Press:
    count = row.of_batch or 0
    standing = (row.of_batch_standing or 0) if count else int(row.stands)
    return Press.of(row, registry, standing=standing, of_batch=count, report=row.report)


@require_safe
@role_required("author", "operator", "tester")
def origins(request: PageRequest, slug: str) -> HttpResponse:
    """Who approved each learned fact of a character, and when: a page, and a part of the page of learned facts."""
    character = character_for(request.user, slug)
    context = {
        "character": character,
        "approvals": approvals(character),
        "decides": has_role(request.user, "operator"),
    }
    return render(request, f"review/origins.html{'#places' if request.htmx else ''}", context)


def approvals(character: Character) -> list[Decision]:
    """Return the approvals that the character's learned facts come from, the newest first."""
    rows = Decision.objects.filter(proposal__learned__character=character, undone_at=None)
    rows = rows.filter(verb=Decision.Verb.APPROVED).exclude(proposal__learned__state=LearnedFact.State.TAKEN_BACK)
    rows = rows.select_related("by", "proposal__learned__predicate")
    return list(rows.defer("proposal__vector", "proposal__learned__vectors")[:MOST_APPROVALS])
