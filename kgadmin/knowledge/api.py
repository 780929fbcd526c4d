"""The API of knowledge bases: registering, settings, documents."""

from datetime import datetime
from typing import Any

from django.db import transaction
from ninja import Field, File, Router, Schema, Status
from ninja.files import UploadedFile

from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.jobs.api import JobOut
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services, uploads
from kgadmin.knowledge.access import base_for, bases_for, document_for
from kgadmin.knowledge.forms import BaseChange, BaseIn, check_upload
from kgadmin.knowledge.models import Document, KnowledgeBase
from kgadmin.rest.schemas import Base, Page, Paging, PathId, changes, page, reads

router = Router(tags=["knowledge"])
readers = door("operator", "author", "tester")
writers = door("operator")


class BaseOut(Schema):
    """A knowledge base. A chunk with a similarity of `threshold` or more is a hit; turns use `enabled` bases only."""

    slug: str = Field(examples=["marine_biology"])
    name: str = Field(examples=["Marine biology"])
    description: str = Field(examples=["Reefs, tides and who lives there"])
    provenance: str = Field(examples=["curated"])
    language: str = Field(examples=["en"])
    chunk_tokens: int = Field(examples=[200], description="Most tokens of a chunk that is made from now on.")
    overlap_tokens: int = Field(examples=[30])
    for_everyone: bool = Field(examples=[True])
    enabled: bool = Field(examples=[True])
    threshold: float = Field(examples=[0.34])
    own_threshold: float | None = Field(None, examples=[None], description="What an operator set; stays until changed.")
    measured_threshold: float | None = Field(None, examples=[0.34], description="Measured after each ingestion.")
    is_threshold_stale: bool = Field(examples=[False], description="The content has changed since it was set.")
    version: int = Field(examples=[7])
    embedder: str = Field(examples=["all-MiniLM-L6-v2"])
    documents: int = Field(alias="document_count", examples=[12])
    failed: int = Field(alias="failed_count", examples=[0], description="Documents that couldn't be read.")
    waiting: int = Field(alias="waiting_count", examples=[0], description="Documents waiting to be read.")
    chunks: int = Field(alias="chunk_count", examples=[240])
    created_at: datetime


class DocumentOut(Schema):
    """One file of a base. `state` is queued, reading, embedding, done or failed (with an `error`)."""

    id: int = Field(examples=[3])
    name: str = Field(examples=["reef.md"])
    kind: str = Field(examples=["md"])
    size: int = Field(examples=[5120], description="Bytes.")
    sha256: str
    state: str = Field(examples=["done"])
    error: str = Field(examples=[""])
    note: str = Field(examples=[""], description="What couldn't be read of it.")
    chunks: int = Field(0, alias="chunk_count", examples=[20])
    embedded: int = Field(0, alias="embedded_count", examples=[20])
    tokens: int = Field(0, alias="token_count", examples=[2400])
    created_at: datetime
    updated_at: datetime


class ChunkOut(Schema):
    """A piece of a document."""

    id: int = Field(examples=[81])
    index: int = Field(examples=[4])
    heading: str = Field(examples=["Bleaching"])
    place: str = Field(examples=["page 3"])
    text: str = Field(examples=["Corals bleach when the water stays warm."])
    tokens: int = Field(examples=[118])


class RefusalOut(Schema):
    """A file that wasn't taken."""

    name: str = Field(examples=["scan.exe"])
    reason: str = Field(examples=["This kind of file can't be read. Convert it: Markdown, text and PDF can."])


class UploadedOut(Schema):
    """The new or replaced documents, the files that were refused, and the job that reads the documents."""

    documents: list[DocumentOut]
    refused: list[RefusalOut]
    job: JobOut


@router.get("/knowledge-bases", auth=readers, response=reads(Page[BaseOut]), summary="Knowledge bases")
def bases(request: ApiRequest, paging: Paging) -> Any:
    """All that you may see, with their figures."""
    return page(bases_for(request.user).with_figures(), paging)


@router.post("/knowledge-bases", auth=writers, response=changes(BaseOut, 201), summary="Register a base")
def register(request: ApiRequest, body: BaseIn) -> Status[KnowledgeBase]:
    """An empty base; its slug is made from its name."""
    return Status(201, _with_figures(services.register(**body.dict(), by=request.user)))


@router.get("/knowledge-bases/{slug}", auth=readers, response=reads(BaseOut), summary="One base")
def base(request: ApiRequest, slug: Base) -> KnowledgeBase:
    """Its settings and figures."""
    return _with_figures(base_for(request.user, slug))


@router.patch("/knowledge-bases/{slug}", auth=writers, response=changes(BaseOut), summary="Change a base's settings")
def change(request: ApiRequest, slug: Base, body: BaseChange) -> KnowledgeBase:
    """Rename it (its slug stays), switch it on or off for turns, set what counts as a hit, or how documents are cut."""
    changed = base_for(request.user, slug, to_write=True)
    settings = body.dict(exclude_none=True, exclude={"threshold"})
    with transaction.atomic():
        if settings:
            services.change(changed, by=request.user, **settings)
        if "threshold" in body.model_fields_set:
            services.set_threshold(changed, body.threshold, by=request.user)
    return _with_figures(changed)


@router.delete("/knowledge-bases/{slug}", auth=writers, response=changes(None, 204), summary="Delete a base")
def delete(request: ApiRequest, slug: Base) -> Status[None]:
    """With its documents and chunks. What was answered from it stays in the conversations."""
    services.delete(base_for(request.user, slug, to_write=True), by=request.user)
    return Status(204, None)


@router.post("/knowledge-bases/{slug}/ingest", auth=writers, response=changes(JobOut, 202), summary="Re-ingest a base")
def ingest_again(request: ApiRequest, slug: Base) -> Status[Job]:
    """Read all documents of the base once more. Chunks that don't change keep their vectors."""
    return Status(202, services.ingest_again(base=base_for(request.user, slug, to_write=True), by=request.user))


@router.get(
    "/knowledge-bases/{slug}/documents", auth=readers, response=reads(Page[DocumentOut]), summary="A base's documents"
)
def documents(request: ApiRequest, slug: Base, paging: Paging) -> Any:
    """Failed ones first, then waiting ones, then the others."""
    base = base_for(request.user, slug)
    return page(base.documents.without_content().with_figures().telling_first(), paging)


@router.post(
    "/knowledge-bases/{slug}/documents", auth=writers, response=changes(UploadedOut, 202), summary="Upload documents"
)
def upload(request: ApiRequest, slug: Base, files: File[list[UploadedFile]]) -> Status[dict[str, Any]]:
    """Each file becomes a document, or replaces the one of its name, those in a zip too; a job reads and embeds them.
    Files that can't be read are refused, and the others go on.
    """
    base = base_for(request.user, slug, to_write=True)
    check_upload(len(files))
    taken = uploads.take(base=base, files=files, by=request.user)
    job = services.ingest(base, by=request.user)
    return Status(202, {"documents": taken.documents, "refused": taken.refused, "job": job})


@router.get("/knowledge-bases/{slug}/documents/{pk}", auth=readers, response=reads(DocumentOut), summary="One document")
def document(request: ApiRequest, slug: Base, pk: PathId) -> Document:
    """Its state and figures."""
    return document_for(request.user, slug, pk)


@router.get(
    "/knowledge-bases/{slug}/documents/{pk}/chunks",
    auth=readers,
    response=reads(Page[ChunkOut]),
    summary="A document's chunks",
)
def chunks(request: ApiRequest, slug: Base, pk: PathId, paging: Paging) -> Any:
    """In the document's order."""
    return page(document_for(request.user, slug, pk).chunks.defer("vector").order_by("index"), paging)


@router.post(
    "/knowledge-bases/{slug}/documents/{pk}/ingest",
    auth=writers,
    response=changes(JobOut, 202),
    summary="Re-ingest a document",
)
def read_again(request: ApiRequest, slug: Base, pk: PathId) -> Status[Job]:
    """Once more, for example after an error."""
    row = document_for(request.user, slug, pk, to_write=True)
    return Status(202, services.ingest_again(base=row.base, document=row, by=request.user))


@router.delete(
    "/knowledge-bases/{slug}/documents/{pk}", auth=writers, response=changes(None, 204), summary="Remove a document"
)
def remove(request: ApiRequest, slug: Base, pk: PathId) -> Status[None]:
    """Delete it with its chunks and vectors."""
    services.remove_document(document_for(request.user, slug, pk, to_write=True), by=request.user)
    return Status(204, None)


def _with_figures(row: KnowledgeBase) -> KnowledgeBase:
    return KnowledgeBase.objects.with_figures().get(pk=row.pk)
