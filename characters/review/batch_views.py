"""Pages of a batch: choosing proposals, the preview, starting it, and its report."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from characters.profiles.models import Predicate
from characters.review import batches
from characters.review.decisions import REASONS, ProposalVersion
from characters.review.forms import UNTIL, BatchIn
from characters.review.models import UNDECIDED, Batch, Decision, Proposal
from characters.review.pages import operators, query_of
from characters.review.queue import ProposalFilter, address, decisions_for, listed, proposals_for
from characters.review.queue_page import statement
from characters.review.words import waits_until
from kgadmin.accounts.roles import PageRequest
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import on_page, read

ITEMS_SHOWN = 100
CHOSEN = re.compile(r"([0-9]{1,18}):([0-9]{1,9})")
"""A proposal's id and version."""
State = Batch.State
DOING: Mapping[str, str] = {
    Decision.Verb.APPROVED: "Approving",
    Decision.Verb.REJECTED: "Rejecting",
    Decision.Verb.DEFERRED: "Deferring",
}


@require_POST
@operators
def choose(request: PageRequest) -> HttpResponse:
    """Choose proposals (`chosen`, "id:version"), or all that match the filter: `everything`."""
    verb = batches.VERBS.get(request.POST.get("verb", ""))
    targets = _everything(request) if "everything" in request.POST else _chosen(request)
    if verb is None or not targets:
        messages.error(request, "Select at least one waiting proposal, then Approve, Reject or Defer.")
        return redirect(address(None, query_of(request)))
    batch = batches.choose(targets, verb=verb, by=request.user, back=query_of(request)[:500])
    return redirect("review:batch", batch.pk)


def _everything(request: PageRequest) -> list[ProposalVersion]:
    rows = listed(request.user, ProposalFilter.of(request.GET)).filter(state__in=UNDECIDED)
    return [ProposalVersion(*values) for values in rows.values_list("pk", "version")]


def _chosen(request: PageRequest) -> list[ProposalVersion]:
    """Return the chosen proposals that this operator may decide, each once."""
    matches = filter(None, map(CHOSEN.fullmatch, request.POST.getlist("chosen")))
    versions = {int(match[1]): int(match[2]) for match in matches}
    rows = proposals_for(request.user).filter(pk__in=versions).order_by("-priority", "pk")
    return [ProposalVersion(pk, versions[pk]) for pk in rows.values_list("pk", flat=True)]


@require_safe
@operators
def batch(request: PageRequest, pk: int) -> HttpResponse:
    """The preview, the progress, or the report."""
    batch = _batch_for(request, pk)
    part = "#report" if request.htmx and not request.htmx.history_restore_request else ""
    shown = _preview(batch) if batch.state == State.DRAFT else _report(batch)
    is_mine = batch.by == request.user
    context = {"batch": batch, "is_mine": is_mine, "reasons": REASONS, "until": UNTIL, "typed": request.POST, **shown}
    return render(request, f"review/batch.html{part}", context)


@require_POST
@operators
@on_page(batch)
def do(request: PageRequest, pk: int) -> HttpResponse:
    """Start a previewed batch, or continue it."""
    batch = _batch_for(request, pk, to_do=True)
    if batch.state == State.DRAFT:
        values = read(BatchIn, request.POST)
        if batch.verb == Decision.Verb.APPROVED and not values.also_bad:
            values.note = ""  # it belongs to the box, which wasn't checked
        Batch.objects.filter(pk=batch.pk).update(**values.dict())
    batches.start(batch)
    return redirect("review:batch", batch.pk)


@require_POST
@operators
def undo(request: PageRequest, key: str) -> HttpResponse:
    """Undo every standing decision of a batch."""
    if not decisions_for(request.user).filter(batch=key).exists():
        raise Http404("There is no such batch. See the list of decisions.")
    batch = batches.start_undo(key, by=request.user)
    batches.start(batch)
    return redirect("review:batch", batch.pk)


def _batch_for(request: PageRequest, pk: int, *, to_do: bool = False) -> Batch:
    """Return a batch of this operator or, if not `to_do`, a started one of another operator; 404 otherwise."""
    readable = Q(by=request.user) if to_do else Q(by=request.user) | ~Q(state=State.DRAFT)
    batch = Batch.objects.select_related("by").filter(readable, pk=pk).first()
    if batch is None:
        raise Http404("There is no such batch of yours. A preview is deleted after an hour: choose again in the queue.")
    return batch


@dataclass(frozen=True, slots=True)
class Line:
    """A proposal of a batch, with the reason if it isn't decided."""

    pk: int
    sentence: str
    predicate: str
    why: str


def _preview(batch: Batch) -> dict[str, Any]:
    foreseen = batches.foresee(batch)
    left_out = batches.left_out(batch, foreseen)
    lines = _lines((pk, why or left_out.get(pk, "")) for pk, why in foreseen.items())
    total = batch.items.count()
    return {
        "is_draft": True,
        "total": total,
        "foreseen": sum(not line.why for line in lines),
        "unforeseen": total - len(foreseen),
        "left_out": len(left_out),
        "left": [line for line in lines if line.pk in left_out],
        "refused": [line for line in lines if line.why and line.pk not in left_out],
        "done": [line for line in lines if not line.why],
    }


def _report(batch: Batch) -> dict[str, Any]:
    standing = batch.decisions.standing()
    refused = batch.items.exclude(why="")
    is_undoing = batch.state == State.UNDOING
    counts = {
        "done": batch.decisions.count(),
        "undone": batch.decisions.exclude(undone_at=None).count(),
        "left": refused.count(),
        "waiting": standing.count() if is_undoing else batch.waiting().count(),
    }
    job = Job.objects.filter(kind=batches.KIND, subject=batch.subject).first()
    titles = {State.STARTED: DOING[batch.verb], State.DONE: batch.get_verb_display()}
    return {
        "title": titles.get(State(batch.state), batch.get_state_display()),
        "counts": counts,
        "total": counts["done"] if is_undoing else batch.items.count(),
        "refused": _lines(refused.values_list("proposal", "why")[:ITEMS_SHOWN]),
        "done": _lines((pk, "") for pk in batch.decisions.values_list("proposal", flat=True)[:ITEMS_SHOWN]),
        "job": job,
        "reason": REASONS.get(batch.reason) if batch.verb == Decision.Verb.REJECTED else "",
        "waits": waits_until(batch.until) if batch.verb == Decision.Verb.DEFERRED else "",
        "can_undo": standing.exists() and not (job and job.is_open),
    }


def _lines(whys: Iterable[tuple[int, str]]) -> list[Line]:
    rows, registry = dict(whys), Predicate.objects.registry()
    proposals = Proposal.objects.defer("vector").in_bulk(rows)
    return [Line(pk, statement(proposals[pk], registry), proposals[pk].predicate, why) for pk, why in rows.items()]
