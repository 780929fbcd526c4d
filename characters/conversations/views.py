"""Importing conversations: upload, preview, start, progress, and what was refused."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from characters.conversations import exports, imports
from characters.conversations.forms import StartForm
from characters.conversations.imports import import_for
from characters.conversations.models import ConversationImport
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import role_required
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused

LINES_A_PAGE = 50
IMPORTS_SHOWN = 50
PEOPLE_SHOWN = 20

operators = role_required("operator")


class HtmxRequest(HttpRequest):
    """A request of somebody who is signed in, through django-htmx's middleware."""

    htmx: HtmxDetails
    user: User


@require_safe
@operators
def index(request: HtmxRequest) -> HttpResponse:
    """The upload, and the imports so far."""
    return _index(request)


def _index(request: HtmxRequest, error: str = "") -> HttpResponse:
    rows = ConversationImport.objects.defer("content").select_related("character", "person", "created_by")
    context = {
        "imports": _with_jobs(rows[:IMPORTS_SHOWN]),
        "error": error,
        "limits": f"up to {exports.MAX_BYTES // 1_000_000} MB and {exports.MAX_LINES:,} lines",
    }
    return render(request, "conversations/imports.html", context, status=400 if error else 200)


def _with_jobs(found: Iterable[ConversationImport]) -> list[tuple[ConversationImport, Job | None]]:
    shown = list(found)
    rows = Job.objects.filter(kind=ConversationImport.JOB_KIND, subject__in=[each.subject for each in shown])
    newest = {job.subject: job for job in rows.order_by("created_at", "pk")}
    return [(each, newest.get(each.subject)) for each in shown]


@require_POST
@operators
def upload(request: HtmxRequest) -> HttpResponse:
    """Take a file and show what it holds."""
    file = request.FILES.get("file")
    if file is None:
        return _index(request, "Choose a file first.")
    if (file.size or 0) > exports.MAX_BYTES:
        return _index(request, exports.too_large(file.size or 0))
    try:
        found = imports.upload(name=file.name or "import.jsonl", content=file.read(), by=request.user)
    except Refused as error:
        return _index(request, str(error))
    return redirect("imports:import", found.pk)


@require_safe
@operators
def one(request: HtmxRequest, pk: int) -> HttpResponse:
    """One import: its preview before it is started, its progress, and the lines that were refused."""
    found = import_for(pk)
    form = StartForm(None, found=found, user=request.user) if found.is_draft else None
    return render(request, "conversations/import.html", _context(request, found, form))


def _context(request: HtmxRequest, found: ConversationImport, form: StartForm | None = None) -> dict[str, Any]:
    people = found.preview["people"]
    refused = Paginator(found.refused.all(), LINES_A_PAGE)
    return {
        "import": found,
        "label": exports.LABELS[found.format],
        "preview": found.preview,
        "first": parse_datetime(found.preview["first"]),
        "last": parse_datetime(found.preview["last"]),
        "total": found.preview["user"] + found.preview["assistant"],
        "people": people[:PEOPLE_SHOWN],
        "more_people": max(0, len(people) - PEOPLE_SHOWN),
        "refused": refused.get_page(request.GET.get("page")),
        "job": found.job,
        "form": form,
    }


@require_POST
@operators
def start(request: HtmxRequest, pk: int) -> HttpResponse:
    """Let a worker put it in."""
    found = import_for(pk)
    if not found.is_draft:
        return redirect("imports:import", pk)
    form = StartForm(request.POST, found=found, user=request.user)
    if not form.is_valid():
        return render(request, "conversations/import.html", _context(request, found, form), status=400)
    imports.start(found=found, character=form.cleaned_data["character"], person=form.person(), by=request.user)
    return redirect("imports:import", pk)


@require_safe
@operators
def progress(request: HtmxRequest, pk: int) -> HttpResponse:
    """The part of the page that is asked for again and again while a worker is at it."""
    found = import_for(pk)
    if not request.htmx:
        return redirect("imports:import", pk)
    return render(request, "conversations/import.html#progress", _context(request, found))


@require_POST
@operators
def again(request: HtmxRequest, pk: int) -> HttpResponse:
    """Go on with an import that failed."""
    found = import_for(pk)
    job = found.job
    if job and job.state == job.State.FAILED:
        imports.try_again(found=found, by=request.user)
    return redirect("imports:import", pk)


@require_POST
@operators
def discard(request: HtmxRequest, pk: int) -> HttpResponse:
    """Throw away a preview, or the record of an import that has ended; what it brought stays."""
    found = import_for(pk)
    job = found.job
    if job and job.is_open:
        messages.error(request, "It is still at work. Cancel it first.")
        return redirect("imports:import", pk)
    found.delete()
    messages.success(request, f"{found.name} is thrown away.")
    return redirect("imports:index")
