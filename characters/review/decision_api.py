"""Decisions on proposals for programs: one, many, and taken back."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from django.http import Http404
from ninja import Field, Path, Query, Router, Schema
from ninja.errors import HttpError

from characters.review import batches, decisions, queue
from characters.review.api import DecisionOut, WholeProposalOut, operators, row_for
from characters.review.batches import NotDone, Report
from characters.review.decisions import Seen
from characters.review.forms import MOST_AT_ONCE, ApproveIn, DecideIn, DeferIn, RejectIn
from characters.review.listing import Row
from characters.review.models import Decision
from kgadmin.accounts.doors import ApiRequest
from kgadmin.jobs.models import Job
from kgadmin.rest.problems import changes, reads
from kgadmin.rest.schemas import Body, Id, Page, Paging, PathId, Text, page

router = Router(tags=["learning"])

Batch = Annotated[str, Path(pattern="^[0-9a-f]{1,40}$", examples=["5f0c9f0e4a6b4f5a8a3c0a4f3f1d2b6c"])]
GONE = "There is no such proposal."


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
def approve(request: ApiRequest, pk: PathId, body: ApproveIn) -> Row:
    """She knows it from the next turn on. 409 if it isn't as it was seen.

    422 if it can't be learned, or a verdict on it is bad and no `note` says why she learns it all the same.
    """
    return _decided(request, pk, decisions.approve, body)


@router.post("/proposals/{pk}/reject", auth=operators, response=changes(WholeProposalOut), summary="Reject a proposal")
def reject(request: ApiRequest, pk: PathId, body: RejectIn) -> Row:
    """It never comes back. 409 if it isn't as it was seen."""
    return _decided(request, pk, decisions.reject, body)


@router.post("/proposals/{pk}/defer", auth=operators, response=changes(WholeProposalOut), summary="Defer a proposal")
def defer(request: ApiRequest, pk: PathId, body: DeferIn) -> Row:
    """It waits again from then on. 409 if it isn't as it was seen."""
    return _decided(request, pk, decisions.defer, body)


def _decided(request: ApiRequest, pk: int, decide: Callable[..., Decision], body: Body) -> Row:
    found, given = queue.proposal_for(request.user, pk), body.dict()
    decide(Seen(found.pk, given.pop("version")), by=request.user, **given)
    return row_for(request.user, pk)


@router.post("/proposals/decide", auth=operators, response=changes(ReportOut), summary="Decide many proposals")
def decide(request: ApiRequest, body: DecideIn) -> Report:
    """Each by itself: one that can't be done leaves the others alone. At most 1,000 at once."""
    ids = [each.id for each in body.proposals]
    there = set(queue.proposals_for(request.user).filter(pk__in=ids).values_list("pk", flat=True))
    seen = {each.id: Seen(each.id, each.version) for each in body.proposals if each.id in there}
    verb = batches.VERBS[body.verb]
    report = batches.decide(seen.values(), verb=verb, by=request.user, **body.of(verb))
    report.left.extend(NotDone(pk, GONE) for pk in dict.fromkeys(ids) if pk not in there)
    return report


@router.get("/decisions", auth=operators, response=reads(Page[DecisionOut]), summary="Decisions")
def listed(request: ApiRequest, paging: Paging, asked: Query[DecisionFilter]) -> Any:
    """The newest first, those that were undone too."""
    rows = queue.decisions_for(request.user).select_related("by")
    exact = {"proposal": asked.proposal, "verb": asked.verb, "by__username": asked.by, "batch": asked.batch}
    return page(rows.filter(**{name: value for name, value in exact.items() if value}), paging)


@router.post("/decisions/{pk}/undo", auth=operators, response=changes(WholeProposalOut), summary="Undo a decision")
def undo(request: ApiRequest, pk: PathId) -> Row:
    """The proposal waits again, and what was learned by it is learned no more.

    409 if it was undone already, or decided again since.
    """
    found = queue.decision_for(request.user, pk)
    decisions.undo(found, by=request.user)
    return row_for(request.user, found.proposal_id)


@router.post("/batches/{batch}/undo", auth=operators, response=changes(ReportOut), summary="Undo a batch")
def undo_batch(request: ApiRequest, batch: Batch) -> Report:
    """Take back every decision of a batch that still stands. 422 where more than 1,000 do: its page undoes them."""
    if not queue.decisions_for(request.user).filter(batch=batch).exists():
        raise Http404("There is no such batch. A report and each decision of it name theirs.")
    standing = Decision.objects.standing().filter(batch=batch).count()
    if standing > MOST_AT_ONCE:
        raise HttpError(422, f"{standing:,} decisions of it stand, too many for one request. Undo it on its page.")
    found = batches.undoing(batch, by=request.user)
    if Job.objects.open().filter(kind=batches.KIND, subject=batches.subject_of(found)).exists():
        batches.start(found)  # what it decides until it hears of this is taken back, too
    else:
        batches.carry_on(found)
    return batches.report(found)
