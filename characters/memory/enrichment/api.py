"""The API of the message graph: runs, relations, and an operator's decisions on them."""

from datetime import datetime
from typing import Any

from ninja import Field, Query, Router, Schema, Status

from characters.memory.enrichment import services
from characters.memory.enrichment.forms import EnrichmentRunIn, RelabelIn, RelationFilter
from characters.memory.models import EnrichmentRun, Relation
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.jobs.api import JobOut
from kgadmin.rest.schemas import Page, Paging, PathId, changes, page, reads

router = Router(tags=["enrichment"])
operators = door("operator")


class EnrichmentRunOut(Schema):
    """One run, with its figures so far and its job."""

    id: int = Field(examples=[4])
    character: str = Field(alias="character.slug", examples=["elena"])
    person: int | None = Field(None, alias="person_id", examples=[12])
    anchors: int = Field(examples=[5])
    frontier: int = Field(examples=[3])
    floor: float = Field(examples=[0.45])
    threshold: float = Field(examples=[0.6])
    max_calls: int = Field(examples=[200])
    max_tokens: int = Field(examples=[200000])
    model: str = Field(examples=[""], description="Empty: by words, without a model.")
    messages: int = Field(examples=[320])
    pairs: int = Field(examples=[900])
    calls: int = Field(examples=[0])
    tokens: int = Field(examples=[0])
    similar: int = Field(examples=[700])
    classified: int = Field(examples=[210])
    unrelated: int = Field(examples=[600])
    unclassified: int = Field(examples=[90])
    stopped_by: str = Field(examples=[""], description="Why it ended early.")
    created_at: datetime
    finished_at: datetime | None
    job: JobOut | None


class RunProblemOut(Schema):
    """A problem of a run: a call that failed, or an item of an answer that couldn't be used."""

    kind: str = Field(examples=["unknown target"])
    detail: str
    at: datetime


class RelatedOut(Schema):
    """One of the two messages."""

    id: int = Field(examples=[101])
    role: str = Field(examples=["user"])
    at: datetime
    text: str = Field(examples=["I have a cat called Luna."])


class RelationOut(Schema):
    """How two messages of a person relate."""

    id: int = Field(examples=[9])
    character: str = Field(alias="character.slug", examples=["elena"])
    person: int = Field(alias="person_id", examples=[12])
    earlier: RelatedOut
    later: RelatedOut
    relation: str = Field(examples=["Follow-up"])
    confidence: float = Field(examples=[0.8])
    evidence: str
    origin: str = Field(examples=["cues"], description="The model that classified it, “cues”, or “operator”.")
    status: str = Field(examples=["classified"])
    run: int | None = Field(None, alias="run_id", examples=[4])
    updated_at: datetime


@router.get("/enrichment/runs", auth=operators, response=reads(Page[EnrichmentRunOut]), summary="Runs")
def runs(request: ApiRequest, paging: Paging) -> Any:
    """The newest first."""
    return page(EnrichmentRun.objects.select_related("character", "person"), paging)


@router.post("/enrichment/runs", auth=operators, response=changes(EnrichmentRunOut, 201), summary="Start a run")
def start(request: ApiRequest, body: EnrichmentRunIn) -> Status[EnrichmentRun]:
    """Its job can be paused, resumed and cancelled. 409 while another one works on the same messages."""
    run = services.asked_run(body)
    services.start(run, by=request.user)
    return Status(201, run)


@router.get("/enrichment/runs/{pk}", auth=operators, response=reads(EnrichmentRunOut), summary="One run")
def run(request: ApiRequest, pk: PathId) -> EnrichmentRun:
    """Its figures so far, and its job."""
    return services.run_for(pk)


@router.get(
    "/enrichment/runs/{pk}/problems", auth=operators, response=reads(Page[RunProblemOut]), summary="A run's problems"
)
def problems(request: ApiRequest, pk: PathId, paging: Paging) -> Any:
    """The problems, in order."""
    return page(services.run_for(pk).problems.all(), paging)


@router.get("/enrichment/relations", auth=operators, response=reads(Page[RelationOut]), summary="Relations")
def relations(request: ApiRequest, paging: Paging, asked: Query[RelationFilter]) -> Any:
    """Relations with both messages, the most confident first."""
    return page(services.filtered(asked), paging)


@router.patch("/enrichment/relations/{pk}", auth=operators, response=changes(RelationOut), summary="Relabel a relation")
def relabel(request: ApiRequest, pk: PathId, body: RelabelIn) -> Relation:
    """Give it another class, or confirm the present one; no run changes it again."""
    relation = services.relation_for(pk)
    services.decide(relation, Relation.Status.RELABELLED, name=body.relation, by=request.user)
    return relation


@router.post(
    "/enrichment/relations/{pk}/reject", auth=operators, response=changes(RelationOut), summary="Reject a relation"
)
def reject(request: ApiRequest, pk: PathId) -> Relation:
    """The two messages aren't related like this: the edge is removed, and no run draws it again."""
    relation = services.relation_for(pk)
    services.decide(relation, Relation.Status.REJECTED, by=request.user)
    return relation
