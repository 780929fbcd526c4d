"""Documents of knowledge bases, for programs."""

from datetime import datetime
from typing import Any

from ninja import Field, File, Router, Schema, Status
from ninja.files import UploadedFile

from kgadmin.accounts.doors import ApiRequest
from kgadmin.jobs.api import JobOut
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services
from kgadmin.knowledge.access import base_for, document_for
from kgadmin.knowledge.api import readers, writers
from kgadmin.knowledge.forms import check_upload
from kgadmin.knowledge.models import Document
from kgadmin.rest.problems import changes, reads
from kgadmin.rest.schemas import Base, Page, Paging, PathId, page

router = Router(tags=["knowledge"])


class DocumentOut(Schema):
    """One file of a base. `state` is queued, reading, embedding, done or failed (with an `error`)."""

    id: int = Field(examples=[3])
    name: str = Field(examples=["reef.md"])
    kind: str = Field(examples=["md"])
    size: int = Field(examples=[5120], description="Bytes.")
    sha256: str
    state: str = Field(examples=["done"])
    error: str = Field(examples=[""])
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
    text: str = Field(examples=["Corals bleach when the water stays warm."])
    tokens: int = Field(examples=[118])


class UploadedOut(Schema):
    """The documents that were made or replaced, and the job that reads them."""

    documents: list[DocumentOut]
    job: JobOut


@router.get(
    "/knowledge-bases/{slug}/documents", auth=readers, response=reads(Page[DocumentOut]), summary="A base's documents"
)
def documents(request: ApiRequest, slug: Base, paging: Paging) -> Any:
    """Those that failed first, then those that wait, then the others."""
    base = base_for(request.user, slug)
    return page(base.documents.without_content().with_figures().telling_first(), paging)


@router.post(
    "/knowledge-bases/{slug}/documents", auth=writers, response=changes(UploadedOut, 202), summary="Upload documents"
)
def upload(request: ApiRequest, slug: Base, files: File[list[UploadedFile]]) -> Status[dict[str, Any]]:
    """Each file becomes a document, or replaces the one of its name; a job reads and embeds them."""
    base = base_for(request.user, slug, to_write=True)
    check_upload(len(files))
    made = services.add_uploads(base=base, files=files, by=request.user)
    job = services.ingest(base, by=request.user)
    return Status(202, {"documents": made, "job": job})


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
    """Delete it with all that was made of it."""
    services.remove_document(document_for(request.user, slug, pk, to_write=True), by=request.user)
    return Status(204, None)
