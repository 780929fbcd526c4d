"""The API of health (for a monitor, the runner, a load balancer), the dashboard, drift and the audit log."""

from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema, Status

from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.knowledge.access import base_for
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.operations import dashboard
from kgadmin.operations.audit_log import AuditFilter, EntryOut, entries
from kgadmin.operations.base_use import TurnsAsked, Use, UseAsked, figures_of, turns_of
from kgadmin.operations.health import count_waiting, is_ready, look
from kgadmin.operations.periods import PERIODS
from kgadmin.projection import services as projection
from kgadmin.projection.tasks import sweep
from kgadmin.rest.schemas import Base, Page, Paging, changes, page, reads

router = Router(tags=["operations"])
operators = door("operator")
readers = door("operator", "author", "tester")
turn_readers = door("operator", "tester")

Store = Literal["graph", "vectors"]


class Health(Schema):
    """`ready`: turns and ingestion work. `parts`: "up", "warming" or "down"; the model also "offline responder".
    `waiting`: jobs and projections that aren't done: what they hold can't be found yet.
    """

    ready: bool = Field(examples=[True])
    waiting: int = Field(examples=[0])
    parts: dict[str, str] = Field(examples=[{"database": "up", "graph": "up", "model": "offline responder"}])


class ShareOut(Schema):
    """In how many turns something was found; `steps` has the share by step of the period, null without turns."""

    name: str = Field(examples=["Background"])
    count: int = Field(examples=[12])
    of: int = Field(examples=[40])
    percent: int | None = Field(examples=[30])
    steps: list[float | None]


class TimesOut(Schema):
    """How long a stage took, and its budget, in ms."""

    name: str = Field(examples=["probe"])
    p50: float = Field(examples=[8.2])
    p95: float = Field(examples=[19.4])
    budget: int = Field(examples=[40])
    runs: int = Field(examples=[40])
    is_over: bool = Field(examples=[False])


class FailureOut(Schema):
    """A failed stage: how often, and the newest one's turn and error."""

    name: str = Field(examples=["memory"])
    count: int = Field(examples=[1])
    turn: int = Field(alias="stage.turn_id", examples=[55])
    error: str = Field(alias="stage.error", examples=["The graph does not answer."])


class WorkOut(Schema):
    """Jobs of one kind."""

    kind: str = Field(alias="label", examples=["Documents to read"])
    queued: int = Field(examples=[0])
    running: int = Field(examples=[1])
    paused: int = Field(examples=[0])
    failed: int = Field(examples=[0])
    oldest: datetime | None


class BaseUseOut(Schema):
    """How turns of a period used a knowledge base. `false`: it was primary, and a label made from the turn says another
    base or none.
    """

    slug: str = Field(alias="base.slug", examples=["marine_biology"])
    name: str = Field(alias="base.name", examples=["Marine biology"])
    asked: int = Field(examples=[40], description="Turns that asked it.")
    hit: int = Field(examples=[12], description="Turns in which it had a hit.")
    hit_percent: int | None = Field(examples=[30])
    primary: int = Field(examples=[8], description="Turns in which it was primary.")
    primary_percent: int | None = Field(examples=[20])
    used: int = Field(examples=[8], description="Turns whose prompt shows passages of it.")
    false: int = Field(examples=[1])
    hits: int = Field(examples=[31], description="Hits of all its turns.")
    passages: int = Field(examples=[19], description="Passages in the prompts of all its turns.")
    failed: int = Field(alias="base.failed_count", examples=[0], description="Documents that couldn't be read.")
    last_used: datetime | None = Field(alias="base.last_used", description="The newest turn that shows passages of it.")
    steps: list[int] = Field(description="Turns with a hit, by step of the period.")


class BaseTurnOut(Schema):
    """A turn that a figure of a base counts. `section`: primary, supplemental, or empty for hits only."""

    id: int = Field(alias="turn_id", examples=[55])
    conversation: int = Field(alias="turn.message.conversation_id", examples=[7])
    character: str = Field(alias="turn.conversation.character.slug", examples=["elena"])
    person: str = Field(alias="turn.conversation.person.name", examples=["Mark"])
    message: str = Field(alias="turn.message.text", examples=["Why do corals bleach?"])
    section: str = Field(examples=["primary"])
    hits: int = Field(examples=[4])
    passages: int = Field(examples=[2])
    created_at: datetime = Field(alias="turn.created_at")


class DashboardOut(Schema):
    """Figures of a period's turns, and what waits now."""

    period: str = Field(alias="period.key", examples=["24h"])
    turns: int = Field(examples=[40])
    shares: list[ShareOut]
    times: list[TimesOut]
    bases: list[BaseUseOut] = Field(alias="bases.uses", description="The most used first.")
    asked_bases: int = Field(alias="bases.asked", examples=[38], description="Turns that asked any knowledge base.")
    hit_bases: int = Field(alias="bases.hit", examples=[15], description="Turns with a hit in one.")
    failures: list[FailureOut]
    work: list[WorkOut] = Field(alias="waiting.jobs")
    unread: int = Field(alias="waiting.unread", examples=[0], description="Messages waiting for fact extraction.")
    owners: int = Field(
        alias="waiting.owners", examples=[0], description="Owners whose graph or vectors are behind the database."
    )


class SideOut(Schema):
    """The number of things, and a hash of all of them."""

    count: int = Field(examples=[120])
    hash: str = Field(examples=["9f3a01c7"])


class ComparedOut(Schema):
    """One kind of thing in the database and in a store."""

    store: str = Field(examples=["graph"])
    kind: str = Field(examples=["entities"])
    database: SideOut
    stored: SideOut


class DifferenceOut(Schema):
    """A difference between a store and the database."""

    store: str = Field(examples=["graph"])
    owner: str = Field(examples=["person:12"])
    what: str = Field(examples=["entities"])
    expected: str = Field(examples=["12"])
    stored: str = Field(examples=["11: 1 missing (entity:30)"])


class DriftOut(Schema):
    """`waiting`: owners still to be projected, which may differ for a moment."""

    compared: list[ComparedOut]
    differences: list[DifferenceOut]
    waiting: list[str] = Field(examples=[[]])


@router.get("/health", auth=None, response=Health, summary="Health of all parts", tags=["health"])
def health(request: HttpRequest) -> Health:
    """Needs no login and has no details: those are on the health page."""
    parts = look()
    return Health(
        ready=is_ready(parts), waiting=count_waiting(), parts={part.name: part.answer.state for part in parts}
    )


@router.get("/dashboard", auth=operators, response=reads(DashboardOut), summary="The dashboard's figures")
def figures(request: ApiRequest, period: Query[Literal["24h", "7d", "30d"]] = "24h") -> dashboard.Overview:
    """Of live turns: sandboxes, variants and fixed replies aren't counted."""
    return dashboard.overview(PERIODS[period])


@router.get(
    "/knowledge-bases/{slug}/use", auth=readers, response=reads(BaseUseOut), summary="Use of a base", tags=["knowledge"]
)
def use(request: ApiRequest, slug: Base, asked: Query[UseAsked]) -> Use:
    """Of live turns: sandboxes, variants and fixed replies aren't counted."""
    base = base_for(request.user, slug)
    (figures,) = figures_of(KnowledgeBase.objects.filter(pk=base.pk), asked.span).uses
    return figures


@router.get(
    "/knowledge-bases/{slug}/turns",
    auth=turn_readers,
    response=reads(Page[BaseTurnOut]),
    summary="The turns that a figure of a base counts",
    tags=["knowledge"],
)
def turns(request: ApiRequest, slug: Base, paging: Paging, asked: Query[TurnsAsked]) -> Any:
    """The newest first. `kind`: it had a hit, was primary, was used, or was primary though a label says otherwise."""
    return page(turns_of(base_for(request.user, slug), asked), paging)


@router.get("/drift", auth=operators, response=reads(DriftOut), summary="Drift")
def drift(request: ApiRequest) -> dict[str, Any]:
    """Compare graph and vectors with the database, now. The time grows with the data."""
    compared = [(store, comparison) for store in projection.STORES for comparison in projection.compare(store)]
    differences = [(store, difference) for store, comparison in compared for difference in comparison.differences]
    return {
        "compared": [
            {"store": store, "kind": comparison.kind, "database": comparison.expected, "stored": comparison.stored}
            for store, comparison in compared
        ],
        "differences": [{"store": store} | asdict(difference) for store, difference in differences],
        "waiting": projection.waiting(),
    }


@router.post("/drift/{store}/repair", auth=operators, response=changes(None, 202), summary="Rebuild a store")
def repair(request: ApiRequest, store: Store) -> Status[None]:
    """From the database, by a worker; turns go on, and may find less meanwhile."""
    projection.rebuild(store)
    sweep.delay()
    return Status(202, None)


@router.get("/audit", auth=operators, response=reads(Page[EntryOut]), summary="The audit log", tags=["audit"])
def audit(request: ApiRequest, paging: Paging, asked: Query[AuditFilter]) -> Any:
    """The newest first."""
    return page(entries(asked), paging)
