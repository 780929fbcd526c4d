"""Decisions on proposals for programs: one, many, and taken back."""

from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import Http404
from ninja import Field, Path, Query, Router, Schema
from ninja.errors import HttpError
from pydantic import AfterValidator, AwareDatetime

from characters.review import batches, decisions, queue
from characters.review.api import DecisionOut, WholeProposalOut, decided, operators, proposal_for, whole
from characters.review.batches import NotDone, Report
from characters.review.decisions import Seen
from characters.review.models import Decision, Proposal
from kgadmin.accounts.doors import ApiRequest
from kgadmin.rest.fields import Body, Id, PathId, Text
from kgadmin.rest.paging import Page, Paging, page
from kgadmin.rest.problems import changes, reads

router = Router(tags=["learning"])

Reason = Literal["contradicts", "once", "led", "vague", "other"]
Verb = Literal["approve", "reject", "defer"]
Batch = Annotated[str, Path(pattern="^[0-9a-f]{1,40}$", examples=["5f0c9f0e4a6b4f5a8a3c0a4f3f1d2b6c"])]
MOST_AT_ONCE = 1_000
GONE = "There is no such proposal."

VERSION = Field(ge=1, le=2**31 - 1, examples=[1], description="Of the proposal, as it was seen.")
NOTE = Field("", max_length=500, examples=["He asked her to say so."], description="For the audit log.")
UNTIL = Field(None, examples=["2026-12-01T08:00:00Z"], description="Null: until it was said to somebody else.")


def _soon(value: datetime) -> datetime:
    """Raises `ValueError` for a date that nobody means, and no database takes."""
    if not SOONEST <= value.year <= LATEST:
        raise ValueError(f"Choose a date between {SOONEST} and {LATEST}.")
    return value


SOONEST, LATEST = 2000, 2200
Later = Annotated[AwareDatetime, AfterValidator(_soon)]


class ApproveIn(Body):
    """Let her learn it; in other words, where `predicate` or `object` is given.

    Where a verdict is bad, `note` says why all the same.
    """

    version: int = VERSION
    predicate: Text = Field("", max_length=60, examples=["LOVES"])
    object: Text = Field("", max_length=500, examples=["staghorn coral"])
    note: Text = NOTE


class RejectIn(Body):
    """Never let her learn it; said again, it stays rejected."""

    version: int = VERSION
    reason: Reason = Field(examples=["vague"])
    note: Text = NOTE


class DeferIn(Body):
    """Decide later."""

    version: int = VERSION
    until: Later | None = UNTIL


class SeenIn(Body):
    """A proposal as it was seen."""

    id: Id
    version: int = VERSION


class DecideIn(Body):
    """The same decision on many. `reason` is for rejecting, `until` for deferring.

    What has a bad verdict is approved with `also_bad` and a `note` that says why all the same; else it is skipped.
    """

    verb: Verb = Field(examples=["reject"])
    proposals: list[SeenIn] = Field(min_length=1, max_length=MOST_AT_ONCE)
    reason: Reason = Field("other", examples=["vague"])
    note: Text = NOTE
    until: Later | None = UNTIL
    also_bad: bool = Field(False, description="Approve also those of which a verdict is bad.")


class NotDoneOut(Schema):
    """One that was left as it is, and why."""

    id: int = Field(examples=[12])
    why: str = Field(examples=["other rejected it meanwhile, so nothing was done. Look at it once more."])


class ReportOut(Schema):
    """What became of many. `batch` is empty where nothing was done, and takes all of it back at once."""

    batch: str = Field(examples=["5f0c9f0e4a6b4f5a8a3c0a4f3f1d2b6c"])
    done: list[int] = Field(examples=[[12, 14]])
    left: list[NotDoneOut] = Field(
        description="Somebody else decided them meanwhile, or reads them now; a verdict is bad; they can't be learned."
    )


class DecisionFilter(Schema):
    """Everything may be left out."""

    proposal: Id | None = Field(None, examples=[12])
    verb: Literal["", "approved", "rejected", "deferred"] = Field("", examples=["approved"])
    by: Text = Field("", max_length=150, examples=["operator"], description="An account's name.")
    batch: Text = Field("", max_length=40, examples=["5f0c9f0e4a6b4f5a8a3c0a4f3f1d2b6c"])


@router.post(
    "/proposals/{pk}/approve", auth=operators, response=changes(WholeProposalOut), summary="Approve a proposal"
)
def approve(request: ApiRequest, pk: PathId, body: ApproveIn) -> dict[str, Any]:
    """She knows it from the next turn on. 409 if it isn't as it was seen.

    422 if it can't be learned, or a verdict on it is bad and no `note` says why she learns it all the same.
    """
    given = body.dict()
    seen = Seen(proposal_for(request.user, pk).pk, given.pop("version"))
    decisions.approve(seen, by=request.user, **given)
    return whole(proposal_for(request.user, pk))


@router.post("/proposals/{pk}/reject", auth=operators, response=changes(WholeProposalOut), summary="Reject a proposal")
def reject(request: ApiRequest, pk: PathId, body: RejectIn) -> dict[str, Any]:
    """It never comes back. 409 if it isn't as it was seen."""
    seen = Seen(proposal_for(request.user, pk).pk, body.version)
    decisions.reject(seen, by=request.user, reason=body.reason, note=body.note)
    return whole(proposal_for(request.user, pk))


@router.post("/proposals/{pk}/defer", auth=operators, response=changes(WholeProposalOut), summary="Defer a proposal")
def defer(request: ApiRequest, pk: PathId, body: DeferIn) -> dict[str, Any]:
    """It waits again from then on. 409 if it isn't as it was seen."""
    seen = Seen(proposal_for(request.user, pk).pk, body.version)
    decisions.defer(seen, by=request.user, until=body.until)
    return whole(proposal_for(request.user, pk))


@router.post("/proposals/decide", auth=operators, response=changes(ReportOut), summary="Decide many proposals")
def decide(request: ApiRequest, body: DecideIn) -> Report:
    """Each by itself: one that can't be done leaves the others alone. At most 1,000 at once."""
    ids = [each.id for each in body.proposals]
    there = set(queue.proposals_for(request.user).filter(pk__in=ids).values_list("pk", flat=True))
    seen = {each.id: Seen(each.id, each.version) for each in body.proposals if each.id in there}
    how = body.dict(include={"note", "until", "also_bad"} | ({"reason"} if body.verb == "reject" else set()))
    report = batches.decide(seen.values(), verb=batches.VERBS[body.verb], by=request.user, **how)
    report.left.extend(NotDone(pk, GONE) for pk in dict.fromkeys(ids) if pk not in there)
    return report


@router.get("/decisions", auth=operators, response=reads(Page[DecisionOut]), summary="Decisions")
def listed(request: ApiRequest, paging: Paging, asked: Query[DecisionFilter]) -> Any:
    """The newest first, those that were undone too."""
    rows = Decision.objects.filter(proposal__in=queue.proposals_for(request.user)).select_related("by")
    exact = {"proposal": asked.proposal, "verb": asked.verb, "by__username": asked.by, "batch": asked.batch}
    return page(rows.filter(**{name: value for name, value in exact.items() if value}), paging, decided)


@router.post("/decisions/{pk}/undo", auth=operators, response=changes(WholeProposalOut), summary="Undo a decision")
def undo(request: ApiRequest, pk: PathId) -> dict[str, Any]:
    """The proposal waits again, and what was learned by it is learned no more.

    409 if it was undone already, or decided again since.
    """
    rows = Decision.objects.filter(proposal__in=queue.proposals_for(request.user))
    found = rows.filter(pk=pk).first()
    if found is None:
        raise Http404("There is no such decision. Its proposal lists those that there are.")
    decisions.undo(found, by=request.user)
    return whole(proposal_for(request.user, found.proposal_id))


@router.post("/batches/{batch}/undo", auth=operators, response=changes(ReportOut), summary="Undo a batch")
def undo_batch(request: ApiRequest, batch: Batch) -> Report:
    """Take back every decision of a batch that still stands. 422 where more than 1,000 do: its page undoes them."""
    mine = Proposal.objects.filter(decisions__batch=batch)
    if not queue.proposals_for(request.user).filter(pk__in=mine.values("pk")).exists():
        raise Http404("There is no such batch. A report and each decision of it name theirs.")
    standing = Decision.objects.standing().filter(batch=batch).count()
    if standing > MOST_AT_ONCE:
        raise HttpError(422, f"{standing:,} decisions of it stand, too many for one request. Undo it on its page.")
    found = batches.undoing(batch, by=request.user)
    batches.carry_on(found)
    return batches.report(found)
