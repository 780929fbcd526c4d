"""What an operator does to knowledge bases: every view answers with where the result is seen."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from kgadmin.knowledge import services
from kgadmin.knowledge.access import base_for, document_for
from kgadmin.knowledge.forms import ThresholdForm, check_upload
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.knowledge.views import HtmxRequest, base_context, ingestion_context, writers
from kgadmin.rest.actions import Refused


@require_POST
@writers
def upload(request: HtmxRequest, slug: str) -> HttpResponse:
    """Take several files, each of which becomes a document or replaces the one of its name."""
    base = base_for(request.user, slug, to_write=True)
    files = request.FILES.getlist("files")
    try:
        check_upload(len(files))
    except Refused as error:
        context = base_context(request, base, upload_error=str(error))
        return render(request, "knowledge/base.html", context, status=400)
    services.add_uploads(base=base, files=files, by=request.user)
    services.ingest(base, by=request.user)
    messages.success(request, f"{len(files)} file{'s' * (len(files) > 1)} taken. Turns find them when they are done.")
    return _to_ingestion(base)


@require_POST
@writers
def ingest_again(request: HtmxRequest, slug: str) -> HttpResponse:
    """Read all documents of the base once more."""
    base = base_for(request.user, slug, to_write=True)
    services.ingest_again(base=base, by=request.user)
    return _ingestion(request, base)


@require_POST
@writers
def read_again(request: HtmxRequest, slug: str, pk: int) -> HttpResponse:
    """Read one document once more."""
    document = document_for(request.user, slug, pk, to_write=True)
    services.ingest_again(base=document.base, document=document, by=request.user)
    return _ingestion(request, document.base)


@require_POST
@writers
def remove(request: HtmxRequest, slug: str, pk: int) -> HttpResponse:
    """Delete a document with all that was made of it."""
    document = document_for(request.user, slug, pk, to_write=True)
    services.remove_document(document, by=request.user)
    if not request.htmx:
        messages.success(request, f"{document.name} is removed.")
    return _ingestion(request, document.base)


@require_POST
@writers
def switch(request: HtmxRequest, slug: str) -> HttpResponse:
    """Let the probe ask this base, or not."""
    base = base_for(request.user, slug, to_write=True)
    services.change(base, enabled=request.POST.get("enabled") == "on", by=request.user)
    messages.success(request, f"Turns {'ask' if base.enabled else 'no longer ask'} {base.name}.")
    return redirect("knowledge:bases" if request.POST.get("back") == "list" else base)


@require_POST
@writers
def set_threshold(request: HtmxRequest, slug: str) -> HttpResponse:
    """Set from which similarity on a chunk counts as a hit."""
    base = base_for(request.user, slug, to_write=True)
    form = ThresholdForm(request.POST, instance=base)
    if not form.is_valid():
        base.refresh_from_db()
        return render(request, "knowledge/base.html", base_context(request, base, threshold_form=form), status=400)
    services.change(base, threshold=form.cleaned_data["threshold"], by=request.user)
    messages.success(request, f"The threshold of {base.name} is {base.threshold:.2f} now.")
    return redirect(base)


def _ingestion(request: HtmxRequest, base: KnowledgeBase) -> HttpResponse:
    if request.htmx:
        context = ingestion_context(request, base) | {"polled": True}
        return render(request, "knowledge/base.html#ingestion", context)
    return _to_ingestion(base)


def _to_ingestion(base: KnowledgeBase) -> HttpResponse:
    return redirect(f"{reverse('knowledge:base', args=[base.slug])}#ingestion")
