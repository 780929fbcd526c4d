"""The message graph for programs: runs, what one would take, the relations and an operator's word on them."""

from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import Http404
from ninja import Field, Query, Router, Schema, Status

from characters.domain.relations import Relation as RelationClass
from characters.memory.enrichment import services
from characters.memory.enrichment.forms import FilterForm, RunForm
from characters.memory.enrichment.services import filtered, shown
from characters.memory.models import EnrichmentRun, Relation
from characters.profiles.models import Character
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.jobs.api import JobOut
from kgadmin.rest.fields import Body, Id, PathId, Slug, checked
from kgadmin.rest.paging import Page, Paging, page
from kgadmin.rest.problems import changes, reads

router = Router(tags=["enrichment"])
operators = door("operator")

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class RunIn(Body):
    """A new run: over whom, how far, and how much it may take."""

    character: Slug = Field(examples=["elena"])
    person: Id | None = Field(None, examples=[12], description="Everybody, where it is left out.")
    anchors: int = Field(5, ge=1, le=50, description="Nearest messages of each message (K).")
    frontier: int = Field(3, ge=1, le=20, description="Nearest messages of each anchor, to classify (M).")
    floor: Share = Field(0.45, description="Messages less alike than this aren't linked.")
    threshold: Share = Field(0.6, description="Relations below it are kept, not drawn.")
    max_calls: int = Field(200, ge=1, le=100_000, description="The run ends there.")
    max_tokens: int = Field(200_000, ge=1_000, le=100_000_000, description="Sent and received, together.")
    without_model: bool = Field(False, description="By vectors and cues; costs no call.")


class EstimateOut(Schema):
    """What a run would about take. `capped` says which cap it will meet before its end."""

    people: int = Field(examples=[1])
    messages: int = Field(examples=[320])
    to_embed: int = Field(examples=[0])
    known: int = Field(examples=[120], description="Pairs that need no answer.")
    pairs: int = Field(examples=[900])
    calls: int = Field(examples=[90])
    tokens: int = Field(examples=[140000])
    capped: str = Field(examples=[""])


class RunOut(Schema):
    """One run, with its figures so far and its job."""

    id: int = Field(examples=[4])
    character: str = Field(examples=["elena"])
    person: int | None = Field(None, alias="person_id", examples=[12])
    anchors: int = Field(examples=[5])
    frontier: int = Field(examples=[3])
    floor: float = Field(examples=[0.45])
    threshold: float = Field(examples=[0.6])
    max_calls: int = Field(examples=[200])
    max_tokens: int = Field(examples=[200000])
    model: str = Field(examples=[""], description="Empty: embeddings and cues, without a model.")
    messages: int = Field(examples=[320])
    pairs: int = Field(examples=[900])
    calls: int = Field(examples=[0])
    tokens: int = Field(examples=[0])
    similar: int = Field(examples=[700])
    classified: int = Field(examples=[210])
    unrelated: int = Field(examples=[600])
    unclassified: int = Field(examples=[90])
    stopped_by: str = Field(examples=[""], description="Why it ended before its work did.")
    created_at: datetime
    finished_at: datetime | None
    job: JobOut | None

    @staticmethod
    def resolve_character(row: EnrichmentRun) -> str:
        return row.character.slug

    @staticmethod
    def resolve_job(row: EnrichmentRun) -> Any:
        return services.job_of(row)


class RunProblemOut(Schema):
    """What went wrong in a run: a call that failed, an item of an answer that couldn't be taken."""

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
    character: str = Field(examples=["elena"])
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

    @staticmethod
    def resolve_character(row: Relation) -> str:
        return row.character.slug


class RelationFilter(Schema):
    """Everything may be left out."""

    relation: RelationClass | None = None
    status: Literal["drawn", "uncertain", "unclassified", "relabelled", "rejected"] | None = None
    least: Share | None = Field(None, description="Confidence from.")
    most: Share | None = Field(None, description="Confidence to.")
    character: Slug | None = Field(None, examples=["elena"])
    person: Id | None = None
    run: Annotated[int, Field(ge=1, le=2**53)] | None = None


class RelabelIn(Body):
    """The class that an operator sees in a pair."""

    relation: RelationClass = Field(examples=["Reframe/Correction"])


@router.get("/enrichment/runs", auth=operators, response=reads(Page[RunOut]), summary="Runs")
def runs(request: ApiRequest, paging: Paging) -> Any:
    """The newest first."""
    return page(EnrichmentRun.objects.select_related("character", "person"), paging)


@router.get("/enrichment/estimate", auth=operators, response=reads(EstimateOut), summary="What a run would take")
def estimate(request: ApiRequest, asked: Query[RunIn]) -> services.Estimate:
    """Nothing is embedded, no model is asked, and nothing is written."""
    return services.estimate(_run(asked))


@router.post("/enrichment/runs", auth=operators, response=changes(RunOut, 201), summary="Start a run")
def start(request: ApiRequest, body: RunIn) -> Status[EnrichmentRun]:
    """Its job can be paused, resumed and cancelled. 409 while another one works on the same messages."""
    run = _run(body)
    services.start(run, by=request.user)
    return Status(201, run)


def _run(asked: RunIn) -> EnrichmentRun:
    """As the page's form makes it."""
    values = asked.dict() | {"character": _pk_of(asked.character)}
    form = RunForm(values)
    checked(form)
    return form.run()


def _pk_of(slug: str | None) -> int | None:
    """The id of a character by its slug; of none, one that no form finds."""
    return Character.objects.filter(slug=slug).values_list("pk", flat=True).first() or 0 if slug else None


@router.get("/enrichment/runs/{pk}", auth=operators, response=reads(RunOut), summary="One run")
def run(request: ApiRequest, pk: PathId) -> EnrichmentRun:
    """Its figures so far, and its job."""
    return _run_for(pk)


@router.get(
    "/enrichment/runs/{pk}/problems", auth=operators, response=reads(Page[RunProblemOut]), summary="A run's problems"
)
def problems(request: ApiRequest, pk: PathId, paging: Paging) -> Any:
    """What went wrong, in order."""
    return page(_run_for(pk).problems.all(), paging)


def _run_for(pk: int) -> EnrichmentRun:
    found = EnrichmentRun.objects.select_related("character", "person").filter(pk=pk).first()
    if found is None:
        raise Http404("There is no such run. The list of runs has them all.")
    return found


@router.get("/enrichment/relations", auth=operators, response=reads(Page[RelationOut]), summary="Relations")
def relations(request: ApiRequest, paging: Paging, asked: Query[RelationFilter]) -> Any:
    """How messages relate, the surest first, with both messages."""
    values = asked.dict(exclude_none=True)
    if asked.character:
        values["character"] = _pk_of(asked.character)
    return page(shown(filtered(checked(FilterForm(values)))), paging)


@router.patch("/enrichment/relations/{pk}", auth=operators, response=changes(RelationOut), summary="Relabel a relation")
def relabel(request: ApiRequest, pk: PathId, body: RelabelIn) -> Relation:
    """Give it another class, or confirm the one that it has; no run changes it again."""
    found = _relation_for(pk)
    services.relabel(found, name=body.relation, by=request.user)
    return found


@router.post(
    "/enrichment/relations/{pk}/reject", auth=operators, response=changes(RelationOut), summary="Reject a relation"
)
def reject(request: ApiRequest, pk: PathId) -> Relation:
    """The two messages aren't related so: the edge goes, and no run draws it again."""
    found = _relation_for(pk)
    services.reject(found, by=request.user)
    return found


def _relation_for(pk: int) -> Relation:
    found = shown(Relation.objects.all()).filter(pk=pk).first()
    if found is None:
        raise Http404("There is no such relation. The list of relations has them all.")
    return found
