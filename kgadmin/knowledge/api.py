"""Knowledge bases for programs: registering, settings, search. Their documents are in `document_api`."""

from datetime import datetime
from typing import Annotated, Any

from ninja import Field, Query, Router, Schema, Status

from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.jobs.api import JobOut
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services
from kgadmin.knowledge.access import base_for, bases_for
from kgadmin.knowledge.forms import MAX_QUESTION, BaseChange, BaseIn
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.knowledge.readers import SearchResult, search
from kgadmin.rest.problems import changes, reads
from kgadmin.rest.schemas import Base, Page, Paging, Text, page

router = Router(tags=["knowledge"])
readers = door("operator", "author", "tester")
writers = door("operator")


class BaseOut(Schema):
    """A knowledge base. A chunk of a similarity of `threshold` or more is a hit; turns ask `enabled` ones only."""

    slug: str = Field(examples=["marine_biology"])
    name: str = Field(examples=["Marine biology"])
    description: str = Field(examples=["Reefs, tides and who lives there"])
    provenance: str = Field(examples=["curated"])
    for_everyone: bool = Field(examples=[True])
    enabled: bool = Field(examples=[True])
    threshold: float = Field(examples=[0.4])
    version: int = Field(examples=[7])
    embedder: str = Field(examples=["all-MiniLM-L6-v2"])
    documents: int = Field(alias="document_count", examples=[12])
    failed: int = Field(alias="failed_count", examples=[0], description="Documents that couldn't be read.")
    waiting: int = Field(alias="waiting_count", examples=[0], description="Documents waiting to be read.")
    chunks: int = Field(alias="chunk_count", examples=[240])
    created_at: datetime


class HitOut(Schema):
    """A chunk near to a question."""

    document: int = Field(alias="chunk.document_id", examples=[3])
    name: str = Field(alias="chunk.document.name", examples=["reef.md"])
    index: int = Field(alias="chunk.index", examples=[4], description="The chunk's place in its document.")
    heading: str = Field(alias="chunk.heading", examples=["Bleaching"])
    text: str = Field(alias="chunk.text", examples=["Corals bleach when the water stays warm."])
    similarity: float = Field(examples=[0.63], description="Cosine.")


class FoundOut(Schema):
    """The nearest chunks, best first, on either side of the base's threshold."""

    hits: list[HitOut]
    below: list[HitOut]


@router.get("/knowledge-bases", auth=readers, response=reads(Page[BaseOut]), summary="Knowledge bases")
def bases(request: ApiRequest, paging: Paging) -> Any:
    """All that you may see, with their figures."""
    return page(bases_for(request.user).with_figures(), paging)


@router.post("/knowledge-bases", auth=writers, response=changes(BaseOut, 201), summary="Register a base")
def register(request: ApiRequest, body: BaseIn) -> Status[KnowledgeBase]:
    """A new, empty base; its slug is made of its name."""
    return Status(201, _with_figures(services.register(**body.dict(), by=request.user)))


@router.get("/knowledge-bases/{slug}", auth=readers, response=reads(BaseOut), summary="One base")
def base(request: ApiRequest, slug: Base) -> KnowledgeBase:
    """Its settings and figures."""
    return _with_figures(base_for(request.user, slug))


@router.patch("/knowledge-bases/{slug}", auth=writers, response=changes(BaseOut), summary="Change a base's settings")
def change(request: ApiRequest, slug: Base, body: BaseChange) -> KnowledgeBase:
    """Switch it on or off for turns, or set from which similarity on a chunk counts as a hit."""
    changed = base_for(request.user, slug, to_write=True)
    if settings := body.dict(exclude_none=True):
        services.change(changed, by=request.user, **settings)
    return _with_figures(changed)


@router.post("/knowledge-bases/{slug}/ingest", auth=writers, response=changes(JobOut, 202), summary="Re-ingest a base")
def ingest_again(request: ApiRequest, slug: Base) -> Status[Job]:
    """Read all documents of the base once more. Chunks that come out as they were keep their vectors."""
    return Status(202, services.ingest_again(base=base_for(request.user, slug, to_write=True), by=request.user))


@router.get("/knowledge-bases/{slug}/search", auth=readers, response=reads(FoundOut), summary="Search a base")
def find(
    request: ApiRequest,
    slug: Base,
    q: Annotated[Text, Query(min_length=1, max_length=MAX_QUESTION, examples=["Why do corals bleach?"])],
) -> SearchResult:
    """The chunks that are nearest to a question, as the probe of a turn would find them."""
    return search(base_for(request.user, slug), q)


def _with_figures(row: KnowledgeBase) -> KnowledgeBase:
    return KnowledgeBase.objects.with_figures().get(pk=row.pk)
