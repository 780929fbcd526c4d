"""The API of trying messages, labels, and runs over them."""

from datetime import datetime
from typing import Annotated, Any

from ninja import Field, Query, Router, Schema, Status

from characters.profiles.access import character_for
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.knowledge.access import bases_for
from kgadmin.rest.schemas import Page, Paging, PathId, Slug, Text, changes, page, reads
from playground.routing import labels, runs
from playground.routing.forms import LabelIn, RoutingRunIn
from playground.routing.models import Label, Run
from playground.routing.preview import MAX_MESSAGE, Preview, preview
from playground.routing.reports import Report, report_of

router = Router(tags=["routing"])
readers = door("operator", "author", "tester")
labellers = door("operator", "tester")


class PassageOut(Schema):
    """A chunk near the message or one of its phrases."""

    document: int = Field(alias="chunk.document_id", examples=[3])
    name: str = Field(alias="chunk.document.name", examples=["reef.md"])
    index: int = Field(alias="chunk.index", examples=[4], description="The chunk's place in its document.")
    heading: str = Field(alias="chunk.heading", examples=["Bleaching"])
    place: str = Field(alias="chunk.place", examples=["page 3"])
    text: str = Field(alias="chunk.text", examples=["Corals bleach when the water stays warm."])
    similarity: float = Field(examples=[0.63], description="Cosine.")
    phrase: str = Field(examples=[""], description="The phrase it is nearest to; empty for the whole message.")
    is_hit: bool = Field(examples=[True], description="It reaches its base's threshold.")
    is_used: bool = Field(examples=[True], description="The prompt shows it.")


class BaseResultOut(Schema):
    """What a turn finds in one base."""

    base: str = Field(alias="base.slug", examples=["marine_biology"])
    threshold: float = Field(alias="base.threshold", examples=[0.34])
    role: str = Field(examples=["primary"], description="primary, supplemental, hit, or empty: nothing reaches it.")
    share: float = Field(examples=[0.91])
    passages: list[PassageOut]


class RoutingPreviewOut(Schema):
    """What a turn would do with a message, without a person and without history."""

    primary: str = Field(alias="assembled.probe.primary", examples=["marine_biology"])
    verdict: str = Field(alias="assembled.probe.verdict", examples=["Marine biology is primary."])
    why: list[str] = Field(alias="assembled.probe.why", examples=[["3 of its passages are near the message."]])
    skipped: str = Field(alias="assembled.probe.skipped", examples=[""], description="Why no base was asked.")
    persona: str = Field(alias="assembled.persona.slug", examples=["lecturer"])
    persona_rule: str = Field(alias="assembled.persona.rule", examples=["The default."])
    bases: list[BaseResultOut]
    error: str = Field(examples=[""])


class LabelOut(Schema):
    """A message and the slug of the base it is about; empty: no base."""

    id: int = Field(examples=[7])
    text: str = Field(examples=["Luna knocked my tea over again."])
    base: str = Field(alias="slug", examples=[""])
    chosen: str = Field(examples=["game_rules"], description="What the real turn chose that it comes from.")
    created_at: datetime


class FiguresOut(Schema):
    """Counts over the labels of a run."""

    count: int = Field(examples=[120])
    right: int = Field(examples=[110])
    false: int = Field(examples=[4], description="A wrong base was chosen.")
    missed: int = Field(examples=[6], description="The base wasn't chosen.")
    accuracy: float = Field(examples=[0.92])


class PointOut(Schema):
    """What one threshold of a base gives."""

    threshold: float = Field(examples=[0.34])
    precision: float = Field(examples=[0.95])
    recall: float = Field(examples=[0.9])
    accuracy: float = Field(examples=[0.92])


class SweepOut(Schema):
    """Precision and recall of one base over its threshold."""

    slug: str = Field(examples=["marine_biology"])
    threshold: float = Field(examples=[0.34])
    suggested: float | None = Field(None, examples=[0.38], description="A threshold with more right, if there is one.")
    points: list[PointOut]


class RoutingRunOut(Schema):
    """A run over the labelled messages. Its report is there once `finished_at` is."""

    id: int = Field(examples=[5])
    character: str = Field(alias="character.slug", examples=["elena"])
    state: str | None = Field(None, alias="job.state", examples=["running"], description="Its job's.")
    created_at: datetime
    finished_at: datetime | None = None


class ReportOut(Schema):
    """A finished run: figures, confusion matrix (rows expected, columns chosen), sweeps."""

    run: RoutingRunOut
    figures: FiguresOut
    columns: list[str] = Field(examples=[["Marine biology", "No base"]])
    rows: list[tuple[str, list[tuple[int, bool]]]] = Field(description="By expected title: counts, and whether right.")
    sweeps: list[SweepOut]
    stale: list[str] = Field(
        examples=[[]], description="Titles of bases whose content, threshold or scope has changed since."
    )
    left_out: int = Field(examples=[0], description="Labels that weren't run: their base is out of scope.")


@router.get("/routing", auth=readers, response=reads(RoutingPreviewOut), summary="Try a message")
def try_message(
    request: ApiRequest,
    character: Slug,
    message: Annotated[Text, Query(min_length=1, max_length=MAX_MESSAGE, examples=["Why do corals bleach?"])],
) -> Preview:
    """By the turn's own code: every base, hit or not, the persona, and what enters the prompt."""
    return preview(character_for(request.user, character), message, bases_for(request.user))


@router.get("/routing/labels", auth=labellers, response=reads(Page[LabelOut]), summary="Labelled messages")
def list_labels(request: ApiRequest, paging: Paging) -> Any:
    """Newest first."""
    return page(Label.objects.select_related("base"), paging)


@router.post("/routing/labels", auth=labellers, response=changes(LabelOut, 201), summary="Label a message")
def add_label(request: ApiRequest, body: LabelIn) -> Status[Label]:
    """Typed, or of a turn. A message that has a label gets this one."""
    return Status(201, labels.save_from(body, bases_for(request.user), by=request.user))


@router.delete("/routing/labels/{pk}", auth=labellers, response=changes(None, 204), summary="Remove a label")
def remove_label(request: ApiRequest, pk: PathId) -> Status[None]:
    """Runs keep what they counted."""
    Label.objects.filter(pk=pk).delete()
    return Status(204, None)


@router.get("/routing/runs", auth=labellers, response=reads(Page[RoutingRunOut]), summary="Runs")
def list_runs(request: ApiRequest, paging: Paging) -> Any:
    """Newest first."""
    return page(Run.objects.select_related("character"), paging)


@router.post("/routing/runs", auth=labellers, response=changes(RoutingRunOut, 202), summary="Run the labelled messages")
def start_run(request: ApiRequest, body: RoutingRunIn) -> Status[Run]:
    """Through the bases of a character, as a turn would ask them."""
    return Status(202, runs.start(character_for(request.user, body.character), by=request.user))


@router.get("/routing/runs/{pk}", auth=labellers, response=reads(ReportOut), summary="One run")
def get_run(request: ApiRequest, pk: PathId) -> Report:
    """Its report; empty until it has finished."""
    return report_of(runs.run_for(pk))
