"""The API of decisions on proposals: one, many, and undoing them."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from django.http import Http404
from ninja import Field, Path, Query, Router, Schema
from ninja.errors import HttpError

from characters.review import batches, decisions, queue
from characters.review.api import DecisionOut, ProposalDetailOut, operators, row_for
from characters.review.batches import BatchReport, NotDone
from characters.review.decisions import ProposalVersion
from characters.review.forms import MOST_AT_ONCE, ApproveIn, DecideIn, DeferIn, RejectIn
from characters.review.models import Decision
from characters.review.queue_page import Row
from kgadmin.accounts.doors import ApiRequest
from kgadmin.jobs.models import Job
from kgadmin.rest.schemas import Body, Id, Page, Paging, PathId, Text, changes, page, reads

router = Router(tags=["learning"])

Batch = Annotated[str, Path(pattern="^[0-9a-f]{1,40}$", examples=["5f0c9f0e4a6b4f5a8a3c0a4f3f1d2b6c"])]
GONE = "There is no such proposal."


class DecisionFilter(Schema):
    """All are optional."""

    proposal: Id | None = Field(None, examples=[12])
    verb: Literal["", "approved", "rejected", "deferred"] = Field("", examples=["approved"])
    by: Text = Field("", max_length=150, examples=["operator"], description="An account's name.")
    batch: Text = Field("", max_length=40, examples=["5f0c9f0e4a6b4f5a8a3c0a4f3f1d2b6c"])


@router.post(
    "/proposals/{pk}/approve", auth=operators, response=changes(ProposalDetailOut), summary="Approve a proposal"
)
def approve(request: ApiRequest, pk: PathId, body: ApproveIn) -> Row:
    """The character knows it from the next turn on. 409 if its version has changed.

    422 if it can't be learned, or a verdict is bad and no `note` gives a reason.
    """
    return _decided(request, pk, decisions.approve, body)


@router.post("/proposals/{pk}/reject", auth=operators, response=changes(ProposalDetailOut), summary="Reject a proposal")
def reject(request: ApiRequest, pk: PathId, body: RejectIn) -> Row:
    """It never returns. 409 if its version has changed."""
    return _decided(request, pk, decisions.reject, body)


@router.post("/proposals/{pk}/defer", auth=operators, response=changes(ProposalDetailOut), summary="Defer a proposal")
def defer(request: ApiRequest, pk: PathId, body: DeferIn) -> Row:
    """It waits again from then on. 409 if its version has changed."""
    return _decided(request, pk, decisions.defer, body)


def _decided(request: ApiRequest, pk: int, decide: Callable[..., Decision], body: Body) -> Row:
    proposal, values = queue.proposal_for(request.user, pk), body.dict()
    decide(ProposalVersion(proposal.pk, values.pop("version")), by=request.user, **values)
    return row_for(request.user, pk)


@router.post("/proposals/decide", auth=operators, response=changes(BatchReport), summary="Decide many proposals")
def decide(request: ApiRequest, body: DecideIn) -> BatchReport:
    """Each by itself: one that is refused doesn't affect the others. At most 1,000 at once."""
    versions = {each.id: each.version for each in body.proposals}
    known = set(queue.proposals_for(request.user).filter(pk__in=versions).values_list("pk", flat=True))
    targets = [ProposalVersion(pk, version) for pk, version in versions.items() if pk in known]
    values = body.dict(exclude={"verb", "proposals"})
    report = batches.decide(targets, verb=batches.VERBS[body.verb], by=request.user, **values)
    report.left.extend(NotDone(id=pk, why=GONE) for pk in versions if pk not in known)
    return report


@router.get("/decisions", auth=operators, response=reads(Page[DecisionOut]), summary="Decisions")
def listed(request: ApiRequest, paging: Paging, asked: Query[DecisionFilter]) -> Any:
    """The newest first, undone ones included."""
    rows = queue.decisions_for(request.user).select_related("by")
    exact = {"proposal": asked.proposal, "verb": asked.verb, "by__username": asked.by, "batch": asked.batch}
    return page(rows.filter(**{name: value for name, value in exact.items() if value}), paging)


@router.post("/decisions/{pk}/undo", auth=operators, response=changes(ProposalDetailOut), summary="Undo a decision")
def undo(request: ApiRequest, pk: PathId) -> Row:
    """The proposal waits again, and its learned fact isn't used any more.

    409 if it was undone already, or decided again since.
    """
    decision = queue.decision_for(request.user, pk)
    decisions.undo(decision, by=request.user)
    return row_for(request.user, decision.proposal_id)


@router.post("/batches/{batch}/undo", auth=operators, response=changes(BatchReport), summary="Undo a batch")
def undo_batch(request: ApiRequest, batch: Batch) -> BatchReport:
    """Undo every standing decision of a batch. 422 for more than 1,000: undo them on the page."""
    if not queue.decisions_for(request.user).filter(batch=batch).exists():
        raise Http404("There is no such batch. The report and each of its decisions name it.")
    standing = Decision.objects.standing().filter(batch=batch).count()
    if standing > MOST_AT_ONCE:
        raise HttpError(422, f"{standing:,} of its decisions are in force, too many for one request. Use its page.")
    undo = batches.start_undo(batch, by=request.user)
    if Job.objects.open().filter(kind=batches.KIND, subject=undo.subject).exists():
        batches.start(undo)  # what the job decides until it reads this is undone, too
    else:
        batches.carry_on(undo)
    return batches.report(undo)
