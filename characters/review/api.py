"""The review queue for programs: proposals with their evidence, and who has one reserved."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from django.db.models import Count
from django.http import Http404
from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status
from ninja.errors import HttpError

from characters.domain import sheet as values
from characters.domain.facts import sentence
from characters.domain.sheet import Fact
from characters.profiles.models import Predicate
from characters.review import queue
from characters.review.models import Claim, Decision, Proposal, Verdict
from characters.review.objections import why_not
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.accounts.models import User
from kgadmin.rest.fields import Id, PathId, Slug, Text
from kgadmin.rest.paging import Page, Paging, page
from kgadmin.rest.problems import changes, reads

router = Router(tags=["learning"])
operators = door("operator")

State = Literal["open", "deferred", "approved", "rejected"]
CHECK = "(taint|duplicate|contradiction|validation|confidence):(good|warn|bad|not judged)"


class ProposalFilter(Schema):
    """Everything may be left out."""

    shown: queue.Shown = Field("waiting", examples=["waiting"], description="What was deferred waits again in time.")
    character: Slug | None = Field(None, examples=["elena"])
    predicate: Text = Field("", max_length=60, examples=["LOVES"])
    verdict: Annotated[str, Field(pattern=f"^({CHECK})?$")] = Field("", examples=["taint:bad"])
    person: Id | None = Field(None, examples=[12], description="Somebody to whom it was said.")
    age: Literal["", "day", "week", "month"] = Field("", examples=["week"], description="First said since then.")
    q: Text = Field("", max_length=200, examples=["jazz"], description="Words of predicate and object.")

    def wanted(self) -> queue.Filter:
        """As the queue takes it."""
        given = self.dict()
        return queue.Filter(character=given.pop("character") or "", search=given.pop("q"), **given)


class VerdictOut(Schema):
    """What one check found."""

    check: str = Field(examples=["taint"], alias="check_name")
    outcome: str = Field(examples=["good"], description="good, warn, bad or not judged.")
    summary: str = Field(examples=["Nobody led her there."])
    evidence: dict[str, Any] = Field(examples=[{"reasons": []}])
    version: str = Field(examples=["1"], description="Of the check.")
    judged_at: datetime


class ProposalOut(Schema):
    """Something that a character said of herself. A decision names the `version` that was seen."""

    id: int = Field(examples=[12])
    character: str = Field(examples=["elena"])
    predicate: str = Field(examples=["FAVORITE_CORAL"])
    object: str = Field(examples=["staghorn"])
    sentence: str = Field(examples=["My favorite coral: staghorn."])
    state: State = Field(examples=["open"])
    version: int = Field(examples=[1])
    confidence: float = Field(examples=[0.94])
    priority: float = Field(examples=[3.2], description="The higher, the sooner it is worth deciding.")
    claims: int = Field(examples=[2], description="How often it was said.")
    people: int = Field(examples=[2], description="To how many people.")
    conversations: int = Field(examples=[2], description="In how many conversations.")
    verdicts: dict[str, str] = Field(examples=[{"taint": "good", "duplicate": "good"}], description="Outcomes.")
    created_at: datetime
    said_at: datetime = Field(description="When it was said last.")
    decided_at: datetime | None = None
    deferred_until: datetime | None = Field(None, description="Null: until it was said to somebody else.")
    learned: int | None = Field(None, examples=[5], description="The learned fact that approving it made.")
    reserved_by: str | None = Field(None, examples=["operator"], description="Who reads it now.")
    reserved_until: datetime | None = None


class ClaimOut(Schema):
    """One time that it was said: `sentence` stands at `start` to `end` of the message."""

    id: int = Field(examples=[31])
    sentence: str = Field(examples=["I love staghorn coral most."])
    start: int = Field(examples=[14])
    end: int = Field(examples=[41])
    message: int = Field(examples=[101])
    turn: int | None = Field(None, examples=[55])
    conversation: int = Field(examples=[7])
    person: int = Field(examples=[12])
    person_name: str = Field(examples=["Mark"])
    certainty: float = Field(examples=[0.9], description="Of having read it rightly.")
    hedged: bool = Field(examples=[False])
    by_model: bool = Field(examples=[False], description="Whether a language model read it out.")
    said_at: datetime


class DecisionOut(Schema):
    """What somebody decided; `undone_at` is null while it stands."""

    id: int = Field(examples=[9])
    proposal: int = Field(examples=[12])
    verb: str = Field(examples=["approved"])
    by: str | None = Field(None, examples=["operator"])
    at: datetime
    batch: str = Field(examples=["5f0c9f0e4a6b4f5a8a3c0a4f3f1d2b6c"], description="Those of one press share it.")
    reason: str = Field(examples=["vague"])
    note: str = Field(examples=["He asked her to say so."])
    version: int = Field(examples=[2], description="Of the proposal, after it.")
    undone_at: datetime | None = None


class WholeProposalOut(ProposalOut):
    """With everything that an operator goes by."""

    refused: str = Field(
        examples=[""],
        description="Why approving it as it stands would be refused. Empty: it wouldn't be, or is decided.",
    )
    checks: list[VerdictOut]
    said: list[ClaimOut] = Field(description="The last said first, at most 200.")
    decisions: list[DecisionOut] = Field(description="The newest first.")


class CountsOut(Schema):
    """How many there are, of those that the filter lets through."""

    waiting: int = Field(examples=[30])
    deferred: int = Field(examples=[2])
    approved: int = Field(examples=[12])
    rejected: int = Field(examples=[7])


class ReservedOut(Schema):
    """Who has it, and until when."""

    reserved_by: str = Field(examples=["operator"])
    reserved_until: datetime


MOST_CLAIMS = 200


@router.get("/proposals", auth=operators, response=reads(Page[ProposalOut]), summary="The review queue")
def proposals(request: ApiRequest, paging: Paging, asked: Query[ProposalFilter]) -> Any:
    """What is most pressing first; what was decided, the last decided first."""
    rows = queue.listed(request.user, asked.wanted()).defer("vector", "embedder")
    rows = rows.select_related("character", "reserved_by").prefetch_related("verdicts")
    part = page(rows, paging)
    return part | {"items": shown(part["items"])}


@router.get("/proposals/counts", auth=operators, response=reads(CountsOut), summary="How many proposals there are")
def counts(request: ApiRequest, asked: Query[ProposalFilter]) -> Any:
    """By what became of them; `shown` makes no difference."""
    return queue.counts(request.user, asked.wanted())


@router.get("/proposals/{pk}", auth=operators, response=reads(WholeProposalOut), summary="One proposal")
def proposal(request: ApiRequest, pk: PathId) -> dict[str, Any]:
    """Where it was said, what each check found, and what was decided."""
    return whole(proposal_for(request.user, pk))


@router.post("/proposals/{pk}/reserve", auth=operators, response=changes(ReservedOut), summary="Reserve a proposal")
def reserve(request: ApiRequest, pk: PathId) -> dict[str, Any]:
    """For two minutes nobody else decides it; ask again to go on reading. 409 while somebody else has it.

    409 also where it is decided.
    """
    found = proposal_for(request.user, pk)
    if not found.is_undecided:
        raise HttpError(409, f"It is {found.state} already, so nobody has to wait for you. Undo that first.")
    if not found.reserve(request.user):
        by = Proposal.objects.select_related("reserved_by").get(pk=found.pk).reserved_by
        raise HttpError(409, f"{by or 'Somebody'} is reading this now. Wait two minutes, or ask them.")
    found.refresh_from_db(fields=["reserved_until"])
    return {"reserved_by": request.user.get_username(), "reserved_until": found.reserved_until}


@router.delete("/proposals/{pk}/reserve", auth=operators, response=changes(None, 204), summary="Let go of a proposal")
def release(request: ApiRequest, pk: PathId) -> Any:
    """Others may decide it again. Nothing changes where it wasn't yours."""
    proposal_for(request.user, pk).release(request.user)
    return Status(204, None)


def proposal_for(user: User, pk: int) -> Proposal:
    """The proposal; 404 if there is none that this user may know of."""
    rows = queue.proposals_for(user).select_related("character", "reserved_by").prefetch_related("verdicts")
    found = rows.defer("vector").filter(pk=pk).first()
    if found is None:
        raise Http404("There is no such proposal. The queue lists those that there are.")
    return found


def whole(found: Proposal) -> dict[str, Any]:
    """For a `WholeProposalOut`."""
    (one,) = shown([found])
    said = found.claims.select_related("message", "person").order_by("-said_at", "-pk")[:MOST_CLAIMS]
    decisions = found.decisions.select_related("by")
    return one | {
        "refused": why_not(found) if found.is_undecided else "",
        "checks": list(found.verdicts.all()),
        "said": [_claim(each) for each in said],
        "decisions": [decided(each) for each in decisions],
    }


def shown(found: list[Proposal]) -> list[dict[str, Any]]:
    """For `ProposalOut`s, with two statements however many there are."""
    registry = Predicate.objects.registry()
    said = Claim.objects.filter(proposal__in=[each.pk for each in found]).order_by().values("proposal")
    support = said.annotate(
        claims=Count("pk"),
        people=Count("person", distinct=True),
        conversations=Count("conversation", distinct=True),
    )
    by_proposal = {row["proposal"]: row for row in support} if found else {}
    return [_proposal(each, registry) | _said(by_proposal.get(each.pk, {})) for each in found]


def _said(support: Mapping[str, Any]) -> dict[str, int]:
    return {name: support.get(name, 0) for name in ("claims", "people", "conversations")}


_AS_THEY_ARE = "predicate object state version confidence priority created_at said_at decided_at deferred_until".split()


def _proposal(row: Proposal, registry: Mapping[str, values.Predicate]) -> dict[str, Any]:
    reader = row.reserved_by if row.reserved_until and row.reserved_until > timezone.now() else None
    return {name: getattr(row, name) for name in _AS_THEY_ARE} | {
        "id": row.pk,
        "character": row.character.slug,
        "sentence": sentence(Fact("", row.predicate, row.object), registry.get(row.predicate)),
        "verdicts": {each.check_name: each.outcome for each in _verdicts(row)},
        "learned": row.learned_id,
        "reserved_by": reader.get_username() if reader else None,
        "reserved_until": row.reserved_until if reader else None,
    }


def _verdicts(row: Proposal) -> list[Verdict]:
    return list(row.verdicts.all())


def _claim(row: Claim) -> dict[str, Any]:
    names = "start end certainty hedged by_model said_at".split()
    return {name: getattr(row, name) for name in names} | {
        "id": row.pk,
        "sentence": row.message.text[row.start : row.end],
        "message": row.message_id,
        "turn": row.turn_id,
        "conversation": row.conversation_id,
        "person": row.person_id,
        "person_name": row.person.name,
    }


def decided(row: Decision) -> dict[str, Any]:
    """For a `DecisionOut`."""
    names = "verb at batch reason note version undone_at".split()
    return {name: getattr(row, name) for name in names} | {
        "id": row.pk,
        "proposal": row.proposal_id,
        "by": row.by.get_username() if row.by else None,
    }
