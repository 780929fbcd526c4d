"""The API of an ingestion: trying how a file is cut, going on after a cancelled one, clearing up what failed."""

from ninja import Field, File, Form, Router, Schema, Status
from ninja.files import UploadedFile

from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.jobs.api import JobOut
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services
from kgadmin.knowledge.access import base_for
from kgadmin.knowledge.forms import ChunkSizes
from kgadmin.knowledge.preview import Preview, preview
from kgadmin.rest.schemas import Base, changes

router = Router(tags=["knowledge"])
writers = door("operator")


class ChunkPreviewOut(Schema):
    """A chunk as it would be."""

    heading: str = Field(examples=["Bleaching"])
    place: str = Field(examples=["page 3"])
    text: str = Field(examples=["Corals bleach when the water stays warm."])
    tokens: int = Field(examples=[118])


class DocumentPreviewOut(Schema):
    """The first chunks of a file; `count` and `tokens` are of all."""

    name: str = Field(examples=["reef.md"])
    chunks: list[ChunkPreviewOut] = Field(alias="pieces")
    count: int = Field(examples=[42])
    tokens: int = Field(examples=[5100])
    note: str = Field(examples=[""], description="What couldn't be read of it.")


class RemovedOut(Schema):
    """How many documents were removed."""

    removed: int = Field(examples=[3])


@router.post(
    "/knowledge-bases/{slug}/preview", auth=writers, response=changes(DocumentPreviewOut), summary="Preview chunks"
)
def preview_chunks(request: ApiRequest, slug: Base, file: File[UploadedFile], sizes: Form[ChunkSizes]) -> Preview:
    """How a file, or the first one in a zip, would be cut. Nothing is saved."""
    base_for(request.user, slug, to_write=True)
    return preview(file, sizes)


@router.post("/knowledge-bases/{slug}/continue", auth=writers, response=changes(JobOut, 202), summary="Read what waits")
def go_on(request: ApiRequest, slug: Base) -> Status[Job]:
    """After an ingestion that was cancelled (`POST /jobs/{pk}/cancel`) or that failed; what was read stays."""
    return Status(202, services.ingest(base_for(request.user, slug, to_write=True), by=request.user))


@router.delete(
    "/knowledge-bases/{slug}/documents/failed",
    auth=writers,
    response=changes(RemovedOut),
    summary="Remove failed documents",
)
def remove_failed(request: ApiRequest, slug: Base) -> dict[str, int]:
    """All that couldn't be read."""
    return {"removed": services.remove_failed(base_for(request.user, slug, to_write=True), by=request.user)}
