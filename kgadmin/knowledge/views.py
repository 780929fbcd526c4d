"""Pages of knowledge bases: the list, one base, one document, and an operator's actions."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kgadmin.accounts.roles import PageRequest, has_role, role_required
from kgadmin.jobs.models import Job
from kgadmin.knowledge import preview as previews
from kgadmin.knowledge import services, uploads
from kgadmin.knowledge.access import base_for, bases_for, document_for
from kgadmin.knowledge.forms import ACCEPTED, LIMITS, BaseChange, BaseIn, ChunkSizes, check_upload
from kgadmin.knowledge.models import Chunk, Document, KnowledgeBase
from kgadmin.rest.actions import answer, back, on_page, read

DOCUMENTS_A_PAGE = 50
CHUNKS_A_PAGE = 20

readers = role_required("operator", "author", "tester")
writers = role_required("operator")


@require_safe
@readers
def bases(request: PageRequest) -> HttpResponse:
    """Show all bases with their figures and running ingestion."""
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
    """Show the form for a new base, and register it."""
    if request.method != "POST":
        return render(request, "knowledge/register.html", {"provenances": KnowledgeBase.Provenance.choices})
    made = services.register(**read(BaseIn, request.POST).dict(), by=request.user)
    return answer(request, f"{made.name} is registered. Upload documents next.", "knowledge:base", made.slug)


@require_safe
@readers
def base(request: PageRequest, slug: str) -> HttpResponse:
    """Show one base: figures, ingestion, documents, threshold."""
    context = ingestion_context(request, base_for(request.user, slug)) | {"accepted": ACCEPTED, "limits": LIMITS}
    return render(request, "knowledge/base.html", context)


@require_safe
@readers
def ingestion(request: PageRequest, slug: str) -> HttpResponse:
    """Show the part of a base's page that is polled while a job runs."""
    row = base_for(request.user, slug)
    if not request.htmx:
        return redirect("knowledge:base", slug)
    context = ingestion_context(request, row) | {"polled": True}
    return render(request, "knowledge/base.html#ingestion", context)


@require_safe
@readers
def document(request: PageRequest, slug: str, pk: int) -> HttpResponse:
    """Show one document and a page of its chunks: `?page=`, or the page that has the chunk `?chunk=`."""
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
    """Return the context of the page's ingestion part."""
    documents = base.documents.without_content().with_figures().telling_first()
    chunks = base.chunks.aggregate(chunks=Count("pk"), tokens=Sum("tokens", default=0))
    return {
        "base": base,
        "figures": {"documents": base.documents.count(), **chunks},
        "documents": Paginator(documents, DOCUMENTS_A_PAGE).get_page(request.GET.get("page")),
        "waiting": base.documents.unfinished().count(),
        "failed": base.documents.failed().count(),
        "job": Job.objects.filter(kind=services.JOB_KIND, subject=base.slug).first(),
        "may_write": has_role(request.user, "operator"),
    }


@require_POST
@writers
@on_page(base)
def upload(request: PageRequest, slug: str) -> HttpResponse:
    """Upload several files, each of which becomes a document or replaces the one of its name."""
    row = base_for(request.user, slug, to_write=True)
    files = request.FILES.getlist("files")
    check_upload(len(files))
    taken = uploads.take(base=row, files=files, by=request.user, paths=request.POST.getlist("paths"))
    services.ingest(row, by=request.user)
    for name, reason in taken.refused[: uploads.MOST_NAMED]:
        messages.error(request, f"{name}: {reason}")
    if more := len(taken.refused[uploads.MOST_NAMED :]):
        messages.error(request, f"{more} more files were refused.")
    return answer(request, f"{taken.summary} Turns find them once they are read.", _ingestion_of(row))


@require_POST
@writers
@on_page(base)
def preview(request: PageRequest, slug: str) -> HttpResponse:
    """Show how the first of the chosen files would be cut, without saving anything."""
    row = base_for(request.user, slug, to_write=True)
    files = request.FILES.getlist("files")
    check_upload(len(files))
    sizes = read(ChunkSizes, request.POST, chunk_tokens="Chunk size", overlap_tokens="Overlap")
    context = {"base": row, "preview": previews.preview(files[0], sizes), "others": len(files) - 1}
    return render(request, "knowledge/preview.html" + ("#preview" if request.htmx else ""), context)


@require_POST
@writers
def go_on(request: PageRequest, slug: str) -> HttpResponse:
    """Read what still waits, after an ingestion that was cancelled or failed."""
    row = base_for(request.user, slug, to_write=True)
    services.ingest(row, by=request.user)
    return _ingestion(request, row)


@require_POST
@writers
def ingest_again(request: PageRequest, slug: str) -> HttpResponse:
    """Read all documents of the base once more."""
    row = base_for(request.user, slug, to_write=True)
    services.ingest_again(base=row, by=request.user)
    return _ingestion(request, row)


@require_POST
@writers
def read_again(request: PageRequest, slug: str, pk: int) -> HttpResponse:
    """Read one document once more."""
    document = document_for(request.user, slug, pk, to_write=True)
    services.ingest_again(base=document.base, document=document, by=request.user)
    return _ingestion(request, document.base)


@require_POST
@writers
def remove(request: PageRequest, slug: str, pk: int) -> HttpResponse:
    """Delete a document with its chunks and vectors."""
    document = document_for(request.user, slug, pk, to_write=True)
    services.remove_document(document, by=request.user)
    return _ingestion(request, document.base, f"{document.name} is removed.")


@require_POST
@writers
def remove_failed(request: PageRequest, slug: str) -> HttpResponse:
    """Delete all documents that couldn't be read."""
    row = base_for(request.user, slug, to_write=True)
    count = services.remove_failed(row, by=request.user)
    messages.success(request, f"{count} failed document{'s' * (count != 1)} removed.")
    return _ingestion(request, row)


@require_POST
@writers
def delete(request: PageRequest, slug: str) -> HttpResponse:
    """Delete a base with its documents and chunks."""
    row = base_for(request.user, slug, to_write=True)
    services.delete(row, by=request.user)
    return answer(request, f"{row.name} is deleted.", "knowledge:bases")


@require_POST
@writers
def switch(request: PageRequest, slug: str) -> HttpResponse:
    """Switch the base on or off for turns."""
    row = base_for(request.user, slug, to_write=True)
    services.change(row, enabled=request.POST.get("enabled") == "on", by=request.user)
    to = "knowledge:bases" if request.POST.get("back") == "list" else row
    return answer(request, f"{row.name} is {'now' if row.enabled else 'no longer'} used in conversations.", to)


@require_POST
@writers
@on_page(base)
def set_threshold(request: PageRequest, slug: str) -> HttpResponse:
    """Set the similarity from which a chunk counts as a hit; an empty one is the measured one again."""
    row = base_for(request.user, slug, to_write=True)
    services.set_threshold(row, read(BaseChange, request.POST).threshold, by=request.user)
    return answer(request, f"The threshold of {row.name} is {row.threshold:.2f} now.", back(request) or row)


def _ingestion(request: PageRequest, base: KnowledgeBase, message: str = "") -> HttpResponse:
    part = "knowledge/base.html#ingestion"
    context = ingestion_context(request, base) | {"polled": True} if request.htmx else {}
    return answer(request, message, _ingestion_of(base), part=part, context=context)


def _ingestion_of(base: KnowledgeBase) -> str:
    return f"{reverse('knowledge:base', args=[base.slug])}#ingestion"
