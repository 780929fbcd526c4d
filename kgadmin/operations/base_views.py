"""Pages on the use of knowledge bases: of all, of one, and the turns that a figure counts."""

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from kgadmin.accounts.roles import PageRequest, has_role, role_required
from kgadmin.knowledge.access import base_for, bases_for
from kgadmin.knowledge.models import KnowledgeBase, KnowledgeBaseQuerySet
from kgadmin.operations.base_use import Kind, TurnsAsked, UseAsked, figures_of, turns_of
from kgadmin.operations.periods import PERIODS, Period
from kgadmin.rest.actions import read

TURNS_A_PAGE = 50
NAMES: Mapping[Kind, str] = {"hit": "With a hit", "primary": "Primary", "used": "Passages used", "false": "False"}

readers = role_required("operator", "author", "tester")
turn_readers = role_required("operator", "tester")


@require_safe
@readers
def bases(request: PageRequest) -> HttpResponse:
    """Show the use of all bases in a period (`?period=`); htmx gets what their cards show of it."""
    context = _context(request, bases_for(request.user), read(UseAsked, request.GET).span)
    return render(request, "operations/use_of_bases.html" + ("#cards" if request.htmx else ""), context)


@require_safe
@readers
def base(request: PageRequest, slug: str) -> HttpResponse:
    """Show the use of one base in a period (`?period=`), also as a part of its page."""
    row = base_for(request.user, slug)
    context = _context(request, KnowledgeBase.objects.filter(pk=row.pk), read(UseAsked, request.GET).span)
    context |= {"base": row, "use": context["uses"][0]}
    return render(request, "operations/base_use.html" + ("#use" if request.htmx else ""), context)


def _context(request: PageRequest, bases: KnowledgeBaseQuerySet, period: Period) -> dict[str, Any]:
    return {
        "uses": figures_of(bases, period).uses,
        "period": period,
        "periods": PERIODS.values(),
        "may_open": has_role(request.user, "operator") or has_role(request.user, "tester"),
    }


@require_safe
@turn_readers
def turns(request: PageRequest, slug: str) -> HttpResponse:
    """Show the turns that a figure of a base counts: `?kind=`, `?period=`, `?page=`."""
    row, asked = base_for(request.user, slug), read(TurnsAsked, request.GET)
    context = {
        "base": row,
        "kind": asked.kind,
        "kinds": NAMES.items(),
        "period": asked.span,
        "page": Paginator(turns_of(row, asked), TURNS_A_PAGE).get_page(request.GET.get("page")),
        "may_trace": has_role(request.user, "tester"),
    }
    return render(request, "operations/base_turns.html", context)
