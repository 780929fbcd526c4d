"""The API of the review queue: proposals with their evidence, and who has one reserved."""

from datetime import datetime
from typing import Any, Literal

from ninja import Field, Query, Router, Schema, Status
from ninja.errors import HttpError

from characters.profiles.models import Predicate
from characters.review import queue
from characters.review.models import Claim, Decision, Proposal
from characters.review.objections import why_not
from characters.review.queue_page import Row
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.accounts.models import User
from kgadmin.rest.schemas import Page, Paging, PathId, changes, page, reads

router = Router(tags=["learning"])
operators = door("operator")

MOST_CLAIMS = 200
State = Literal["open", "deferred", "approved", "rejected"]


class VerdictOut(Schema):
    """The outcome of one check."""

    check: str = Field(examples=["taint"], alias="check_name")
    outcome: str = Field(examples=["good"], description="good, warn, bad or not judged.")
    summary: str = Field(examples=["Nobody elicited it."])
    evidence: dict[str, Any] = Field(examples=[{"reasons": []}])
    version: str = Field(examples=["1"], description="When it was checked.")
    judged_at: datetime


class ProposalOut(Schema):
    """A statement of a character about itself. A decision names the `version` that was read."""

    id: int = Field(alias="proposal.pk", examples=[12])
    character: str = Field(alias="proposal.character.slug", examples=["elena"])
    predicate: str = Field(alias="proposal.predicate", examples=["FAVORITE_CORAL"])
    object: str = Field(alias="proposal.object", examples=["staghorn"])
    sentence: str = Field(examples=["My favorite coral: staghorn."])
    state: State = Field(alias="proposal.state", examples=["open"])
    version: int = Field(alias="proposal.version", examples=[1])
    confidence: float = Field(alias="proposal.confidence", examples=[0.94])
    priority: float = Field(
        alias="proposal.priority", examples=[3.2], description="Higher values are more worth deciding soon."
    )
    claims: int = Field(alias="proposal.times", examples=[2], description="How many times it was said.")
    people: int = Field(alias="proposal.people", examples=[2], description="To how many people it was said.")
    conversations: int = Field(
        alias="proposal.conversations", examples=[2], description="In how many conversations it was said."
    )
    verdicts: dict[str, str] = Field(
        alias="outcomes", examples=[{"taint": "good", "duplicate": "good"}], description="Outcomes."
    )
    created_at: datetime = Field(alias="proposal.created_at")
    last_stated_at: datetime = Field(alias="proposal.last_stated_at")
    decided_at: datetime | None = Field(None, alias="proposal.decided_at")
    deferred_until: datetime | None = Field(
        None, alias="proposal.deferred_until", description="Null: until it is said to someone else."
    )
    learned: int | None = Field(
        None, alias="proposal.learned_id", examples=[5], description="The learned fact created by approving it."
    )
    reserved_by: str | None = Field(None, alias="proposal.reader.username", examples=["operator"])
    reserved_until: datetime | None


class ClaimOut(Schema):
    """A time the statement was made: `sentence` is at `start` to `end` of the message."""

    id: int = Field(examples=[31])
    sentence: str = Field(examples=["I love staghorn coral most."])
    start: int = Field(examples=[14])
    end: int = Field(examples=[41])
    message: int = Field(alias="message_id", examples=[101])
    turn: int | None = Field(None, alias="turn_id", examples=[55])
    conversation: int = Field(alias="conversation_id", examples=[7])
    person: int = Field(alias="person_id", examples=[12])
    person_name: str = Field(alias="person.name", examples=["Mark"])
    certainty: float = Field(examples=[0.9], description="That it was read rightly.")
    hedged: bool = Field(examples=[False])
    by_model: bool = Field(examples=[False], description="Whether a language model read it.")
    stated_at: datetime


class DecisionOut(Schema):
    """An operator's decision; `undone_at` is null while it stands."""

    id: int = Field(examples=[9])
    proposal: int = Field(alias="proposal_id", examples=[12])
    verb: str = Field(examples=["approved"])
    by: str | None = Field(None, alias="by.username", examples=["operator"])
    at: datetime
    batch: str = Field(
        examples=["5f0c9f0e4a6b4f5a8a3c0a4f3f1d2b6c"], description="Shared by those that were decided at once."
    )
    reason: str = Field(examples=["vague"])
    note: str = Field(examples=["He asked Elena to say so."])
    version: int = Field(examples=[2], description="Version of the proposal afterwards.")
    undone_at: datetime | None = None


class ProposalDetailOut(ProposalOut):
    """A proposal with everything that an operator decides by."""

    refused: str = Field(
        examples=[""],
        description="Why approving it unchanged would be refused; empty if it wouldn't be, or if it is decided.",
    )
    checks: list[VerdictOut] = Field(alias="proposal.verdicts")
    occurrences: list[ClaimOut] = Field(description="The newest first, at most 200.")
    decisions: list[DecisionOut] = Field(description="The newest first.")

    @staticmethod
    def resolve_refused(row: Row) -> str:
        return why_not(row.proposal)

    @staticmethod
    def resolve_occurrences(row: Row) -> list[Claim]:
        claims = row.proposal.claims.select_related("message", "person")
        return list(claims.order_by("-stated_at", "-pk")[:MOST_CLAIMS])

    @staticmethod
    def resolve_decisions(row: Row) -> list[Decision]:
        return list(row.proposal.decisions.select_related("by"))


class CountsOut(Schema):
    """How many proposals match the filter."""

    waiting: int = Field(examples=[30])
    deferred: int = Field(examples=[2])
    approved: int = Field(examples=[12])
    rejected: int = Field(examples=[7])


@router.get("/proposals", auth=operators, response=reads(Page[ProposalOut]), summary="The review queue")
def proposals(request: ApiRequest, paging: Paging, asked: Query[queue.ProposalFilter]) -> Any:
    """By priority; decided ones, the last decided first."""
    rows = queue.listed(request.user, asked).with_support().defer("vector", "embedder")
    rows = rows.select_related("character", "reserved_by").prefetch_related("verdicts")
    registry = Predicate.objects.registry()
    return page(rows, paging, lambda each: Row.of(each, request.user, registry))


@router.get("/proposals/counts", auth=operators, response=reads(CountsOut), summary="How many proposals there are")
def counts(request: ApiRequest, asked: Query[queue.ProposalFilter]) -> Any:
    """By state; `shown` is ignored."""
    return queue.counts(request.user, asked)


@router.get("/proposals/{pk}", auth=operators, response=reads(ProposalDetailOut), summary="One proposal")
def proposal(request: ApiRequest, pk: PathId) -> Row:
    """Where it was stated, the outcome of each check, and decisions."""
    return row_for(request.user, pk)


@router.post("/proposals/{pk}/reserve", auth=operators, response=changes(ProposalOut), summary="Reserve a proposal")
def reserve(request: ApiRequest, pk: PathId) -> Row:
    """Nobody else can decide it for two minutes; repeat it to renew. 409 while somebody else has it, and once it is
    decided.
    """
    proposal = queue.proposal_for(request.user, pk)
    if not proposal.is_undecided:
        raise HttpError(409, f"It is {proposal.state} already. Undo that first.")
    if not proposal.reserve(request.user):
        by = Proposal.objects.select_related("reserved_by").get(pk=proposal.pk).reserved_by
        raise HttpError(409, f"{by or 'Someone'} is reviewing this now. Wait two minutes, or ask them.")
    return row_for(request.user, pk)


@router.delete("/proposals/{pk}/reserve", auth=operators, response=changes(None, 204), summary="Release a proposal")
def release(request: ApiRequest, pk: PathId) -> Any:
    """Others may decide it again. A reservation of somebody else stays."""
    queue.proposal_for(request.user, pk).release(request.user)
    return Status(204, None)


def row_for(user: User, pk: int) -> Row:
    """Return the proposal as it is now; 404 if there is none that this user may see."""
    return Row.of(queue.proposal_for(user, pk), user, Predicate.objects.registry())
