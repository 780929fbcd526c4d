"""Import conversations: upload, preview, start, progress, and the refused lines."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST, require_safe

from characters.conversations import exports, imports
from characters.conversations.imports import StartIn, import_for
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


def _with_jobs(rows: QuerySet[ConversationImport]) -> list[tuple[ConversationImport, Job | None]]:
    jobs = Job.objects.filter(kind=ConversationImport.JOB_KIND, subject__in=[row.subject for row in rows])
    newest = {job.subject: job for job in jobs.order_by("created_at", "pk")}
    return [(row, newest.get(row.subject)) for row in rows]


@require_POST
@operators
@on_page(index)
def upload(request: PageRequest) -> HttpResponse:
    """Store a file and show its preview."""
    return redirect("imports:import", imports.take(request.FILES.get("file"), by=request.user).pk)


@require_safe
@operators
def detail(request: PageRequest, pk: int) -> HttpResponse:
    """One import: its preview before it is started, its progress, and the refused lines."""
    import_ = import_for(pk)
    context = _context(request, import_) | (_form(request, import_) if import_.is_draft else {})
    return render(request, "conversations/import.html", context)


def _form(request: PageRequest, import_: ConversationImport) -> dict[str, Any]:
    return {
        "characters": imports.importable_characters(),
        "who": imports.people_choices(import_, request.user),
        "chosen": request.POST.dict() or imports.guesses(import_),
    }


def _context(request: PageRequest, import_: ConversationImport) -> dict[str, Any]:
    people = import_.preview["people"]
    refused = Paginator(import_.refused.all(), LINES_A_PAGE)
    return {
        "import": import_,
        "label": exports.LABELS.get(import_.format, import_.format),
        "preview": import_.preview,
        "first": parse_datetime(import_.preview["first"]),
        "last": parse_datetime(import_.preview["last"]),
        "total": import_.preview["user"] + import_.preview["assistant"],
        "people": people[:PEOPLE_SHOWN],
        "more_people": max(0, len(people) - PEOPLE_SHOWN),
        "refused": refused.get_page(request.GET.get("page")),
        "job": import_.job,
    }


@require_POST
@operators
@on_page(detail)
def start(request: PageRequest, pk: int) -> HttpResponse:
    """Start the job."""
    import_ = import_for(pk)
    if import_.is_draft:  # a second click is no error
        imports.start_as_asked(import_, read(StartIn, request.POST, who="The person"), by=request.user)
    return redirect("imports:import", pk)


@require_safe
@operators
def progress(request: PageRequest, pk: int) -> HttpResponse:
    """The part of the page that is polled while a worker is at it."""
    import_ = import_for(pk)
    if not request.htmx:
        return redirect("imports:import", pk)
    return render(request, "conversations/import.html#progress", _context(request, import_))


@require_POST
@operators
@on_page(detail)
def discard(request: PageRequest, pk: int) -> HttpResponse:
    """Discard a preview, or the record of an import that has ended; imported messages stay."""
    import_ = import_for(pk)
    imports.discard(import_)
    return answer(request, f"{import_.name} was discarded.", "imports:index")
