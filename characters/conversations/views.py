"""Importing conversations: upload, preview, start, progress, and what was refused."""

from collections.abc import Iterable
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST, require_safe

from characters.conversations import exports, imports
from characters.conversations.forms import StartIn, guessed_person, people_choices
from characters.conversations.imports import import_for
from characters.conversations.models import ConversationImport
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import answer, on_page, read

LINES_A_PAGE = 50
IMPORTS_SHOWN = 50
PEOPLE_SHOWN = 20

operators = role_required("operator")


@require_safe
@operators
def index(request: PageRequest) -> HttpResponse:
    """The upload, and the imports so far."""
    rows = ConversationImport.objects.defer("content").select_related("character", "person", "created_by")
    context = {
        "imports": _with_jobs(rows[:IMPORTS_SHOWN]),
        "limits": f"up to {exports.MAX_BYTES // 1_000_000} MB and {exports.MAX_LINES:,} lines",
    }
    return render(request, "conversations/imports.html", context)


def _with_jobs(found: Iterable[ConversationImport]) -> list[tuple[ConversationImport, Job | None]]:
    shown = list(found)
    rows = Job.objects.filter(kind=ConversationImport.JOB_KIND, subject__in=[each.subject for each in shown])
    newest = {job.subject: job for job in rows.order_by("created_at", "pk")}
    return [(each, newest.get(each.subject)) for each in shown]


@require_POST
@operators
@on_page(index)
def upload(request: PageRequest) -> HttpResponse:
    """Take a file and show what it holds."""
    return redirect("imports:import", imports.take(request.FILES.get("file"), by=request.user).pk)


@require_safe
@operators
def one(request: PageRequest, pk: int) -> HttpResponse:
    """One import: its preview before it is started, its progress, and the lines that were refused."""
    found = import_for(pk)
    context = _context(request, found) | (_form(request, found) if found.is_draft else {})
    return render(request, "conversations/import.html", context)


def _form(request: PageRequest, found: ConversationImport) -> dict[str, Any]:
    """What the form offers, and what was typed or can be guessed."""
    guess, name = imports.guessed_character(found), imports.guessed_name(found)
    guessed = {"character": guess.slug if guess else "", "who": guessed_person(found, name), "name": name}
    return {
        "characters": imports.importable_characters(),
        "who": people_choices(found, request.user),
        "chosen": request.POST.dict() or guessed,
    }


def _context(request: PageRequest, found: ConversationImport) -> dict[str, Any]:
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
    }


@require_POST
@operators
@on_page(one)
def start(request: PageRequest, pk: int) -> HttpResponse:
    """Let a worker put it in."""
    found = import_for(pk)
    if found.is_draft:  # a second click is no error
        imports.start_as_asked(found, read(StartIn, request.POST, who="The person"), by=request.user)
    return redirect("imports:import", pk)


@require_safe
@operators
def progress(request: PageRequest, pk: int) -> HttpResponse:
    """The part of the page that is asked for again and again while a worker is at it."""
    found = import_for(pk)
    if not request.htmx:
        return redirect("imports:import", pk)
    return render(request, "conversations/import.html#progress", _context(request, found))


@require_POST
@operators
@on_page(one)
def again(request: PageRequest, pk: int) -> HttpResponse:
    """Go on with an import that failed."""
    imports.try_again(found=import_for(pk), by=request.user)
    return redirect("imports:import", pk)


@require_POST
@operators
@on_page(one)
def discard(request: PageRequest, pk: int) -> HttpResponse:
    """Throw away a preview, or the record of an import that has ended; what it brought stays."""
    found = import_for(pk)
    imports.discard(found)
    return answer(request, f"{found.name} is thrown away.", "imports:index")
