"""Reading knowledge bases: the list, one base, one document. What changes them is in `actions`."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from kgadmin.accounts.roles import PageRequest, has_role, role_required
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services
from kgadmin.knowledge.access import base_for, bases_for, document_for
from kgadmin.knowledge.forms import ACCEPTED, LIMITS, BaseIn, Question
from kgadmin.knowledge.models import Chunk, Document, KnowledgeBase
from kgadmin.knowledge.readers import search
from kgadmin.rest.actions import answer, on_page, read

DOCUMENTS_A_PAGE = 50
CHUNKS_A_PAGE = 20

readers = role_required("operator", "author", "tester")
writers = role_required("operator")


@require_safe
@readers
def bases(request: PageRequest) -> HttpResponse:
    """All bases with their figures and what is going on in them."""
    rows = bases_for(request.user)
    open_jobs = Job.objects.open().filter(kind=services.JOB_KIND).values_list("subject", flat=True)
    context = {
        "bases": rows.with_figures(),
        "ingesting": set(open_jobs),
        "document_count": Document.objects.filter(base__in=rows).count(),
        "chunk_count": Chunk.objects.filter(base__in=rows).count(),
        "may_write": has_role(request.user, "operator"),
    }
    return render(request, "knowledge/bases.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@writers
@on_page()
def register(request: PageRequest) -> HttpResponse:
    """The form for a new base, and its registration."""
    if request.method != "POST":
        return render(request, "knowledge/register.html", {"provenances": KnowledgeBase.Provenance.choices})
    made = services.register(**read(BaseIn, request.POST).dict(), by=request.user)
    return answer(request, f"{made.name} is registered. Upload documents next.", "knowledge:base", made.slug)


@require_safe
@readers
def base(request: PageRequest, slug: str) -> HttpResponse:
    """One base: figures, ingestion, documents, search (`?q=`), threshold."""
    row = base_for(request.user, slug)
    question = read(Question, request.GET, q="The question").q
    context = ingestion_context(request, row) | {
        "question": question,
        "search": search(row, question) if question else None,
        "accepted": ACCEPTED,
        "limits": LIMITS,
    }
    return render(request, "knowledge/base.html", context)


@require_safe
@readers
def ingestion(request: PageRequest, slug: str) -> HttpResponse:
    """The part of a base's page that is asked for again and again while a job runs."""
    row = base_for(request.user, slug)
    if not request.htmx:
        return redirect("knowledge:base", slug)
    context = ingestion_context(request, row) | {"polled": True}
    return render(request, "knowledge/base.html#ingestion", context)


@require_safe
@readers
def document(request: PageRequest, slug: str, pk: int) -> HttpResponse:
    """One document and its chunks: `?page=`, or the page that has the chunk of `?chunk=`."""
    shown = document_for(request.user, slug, pk)
    chunks = shown.chunks.defer("vector").order_by("index")
    context = {
        "base": shown.base,
        "document": shown,
        "chunks": Paginator(chunks, CHUNKS_A_PAGE).get_page(_chunk_page(request)),
        "may_write": has_role(request.user, "operator"),
    }
    return render(request, "knowledge/document.html", context)


def _chunk_page(request: HttpRequest) -> str | int | None:
    index = request.GET.get("chunk", "")
    return int(index) // CHUNKS_A_PAGE + 1 if index.isdecimal() and len(index) < 9 else request.GET.get("page")


def ingestion_context(request: PageRequest, base: KnowledgeBase) -> dict[str, Any]:
    """What the ingestion part of the page shows."""
    documents = base.documents.without_content().with_figures().telling_first()
    chunks = base.chunks.aggregate(chunks=Count("pk"), tokens=Sum("tokens", default=0))
    return {
        "base": base,
        "figures": {"documents": base.documents.count(), **chunks},
        "documents": Paginator(documents, DOCUMENTS_A_PAGE).get_page(request.GET.get("page")),
        "waiting": base.documents.unfinished().count(),
        "job": Job.objects.filter(kind=services.JOB_KIND, subject=base.slug).first(),
        "may_write": has_role(request.user, "operator"),
    }
