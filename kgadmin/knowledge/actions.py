"""What an operator does to knowledge bases: every view answers with where the result is seen."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from kgadmin.accounts.roles import PageRequest
from kgadmin.knowledge import services, views
from kgadmin.knowledge.access import base_for, document_for
from kgadmin.knowledge.forms import BaseChange, check_upload
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.knowledge.views import ingestion_context, writers
from kgadmin.rest.actions import Refused, answer, on_page, read


@require_POST
@writers
@on_page(views.base)
def upload(request: PageRequest, slug: str) -> HttpResponse:
    """Take several files, each of which becomes a document or replaces the one of its name."""
    base = base_for(request.user, slug, to_write=True)
    files = request.FILES.getlist("files")
    check_upload(len(files))
    services.add_uploads(base=base, files=files, by=request.user)
    services.ingest(base, by=request.user)
    message = f"{len(files)} file{'s' * (len(files) > 1)} taken. Turns can find them once ingested."
    return answer(request, message, _ingestion_of(base))


@require_POST
@writers
def ingest_again(request: PageRequest, slug: str) -> HttpResponse:
    """Read all documents of the base once more."""
    base = base_for(request.user, slug, to_write=True)
    services.ingest_again(base=base, by=request.user)
    return _ingestion(request, base)


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
    """Delete a document with all that was made of it."""
    document = document_for(request.user, slug, pk, to_write=True)
    services.remove_document(document, by=request.user)
    return _ingestion(request, document.base, f"{document.name} is removed.")


@require_POST
@writers
def switch(request: PageRequest, slug: str) -> HttpResponse:
    """Let the probe ask this base, or not."""
    base = base_for(request.user, slug, to_write=True)
    services.change(base, enabled=request.POST.get("enabled") == "on", by=request.user)
    to = "knowledge:bases" if request.POST.get("back") == "list" else base
    return answer(request, f"{base.name} is {'now' if base.enabled else 'no longer'} used in conversations.", to)


@require_POST
@writers
@on_page(views.base)
def set_threshold(request: PageRequest, slug: str) -> HttpResponse:
    """Set from which similarity on a chunk counts as a hit."""
    base = base_for(request.user, slug, to_write=True)
    threshold = read(BaseChange, request.POST).threshold
    if threshold is None:
        raise Refused("Enter the threshold, a number from 0 to 1.")
    services.change(base, threshold=threshold, by=request.user)
    return answer(request, f"The threshold of {base.name} is {threshold:.2f} now.", base)


def _ingestion(request: PageRequest, base: KnowledgeBase, message: str = "") -> HttpResponse:
    part = "knowledge/base.html#ingestion"
    context = ingestion_context(request, base) | {"polled": True} if request.htmx else {}
    return answer(request, message, _ingestion_of(base), part=part, context=context)


def _ingestion_of(base: KnowledgeBase) -> str:
    return f"{reverse('knowledge:base', args=[base.slug])}#ingestion"
