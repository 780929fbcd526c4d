"""Many at once: what would be done, doing it, and what became of each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from characters.people.pages import number
from characters.profiles.models import Predicate
from characters.review import batches, filters
from characters.review.decisions import REASONS, Seen
from characters.review.filters import address
from characters.review.forms import UNTIL, How
from characters.review.listing import statement
from characters.review.models import UNDECIDED, Batch, Decision, Proposal
from characters.review.pages import operators, query_of
from characters.review.queue import decisions_for, listed, proposals_for
from characters.review.words import DOING, DONE, waits_until
from kgadmin.accounts.roles import PageRequest
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import on_page, read

ITEMS_SHOWN = 100
MOST_VERSIONS = 2**31
"""The column's limit."""
State = Batch.State
TITLES: Mapping[str, str] = {State.UNDOING: "Undoing", State.UNDONE: "Undone"}


@require_POST
@operators
def choose(request: PageRequest) -> HttpResponse:
    """Choose proposals (`chosen`, "id:version"), or all that the filter lets through: `everything`."""
    verb = batches.VERBS.get(request.POST.get("verb", ""))
    seen = _everything(request) if "everything" in request.POST else _chosen(request)
    if verb is None or not seen:
        messages.error(request, "Choose at least one proposal that waits, then what to do with them.")
        return redirect(address(None, query_of(request)))
    return redirect("review:batch", batches.choose(seen, verb=verb, by=request.user, back=query_of(request)[:500]).pk)


def _everything(request: PageRequest) -> list[Seen]:
    rows = listed(request.user, filters.read(request.GET)).filter(state__in=UNDECIDED)
    return [Seen(pk, version) for pk, version in rows.values_list("pk", "version")[: batches.MOST]]


def _chosen(request: PageRequest) -> list[Seen]:
    """Those that this operator may decide, each once."""
    pairs = [text.partition(":")[::2] for text in request.POST.getlist("chosen")]
    wanted = {
        pk: version
        for pk, version in ((number(a), number(b)) for a, b in pairs)
        if pk and version and version < MOST_VERSIONS
    }
    known = proposals_for(request.user).filter(pk__in=wanted).values_list("pk", flat=True)
    return [Seen(pk, wanted[pk]) for pk in known.order_by("-priority", "pk")]


@require_safe
@operators
def batch(request: PageRequest, pk: int) -> HttpResponse:
    """What would be done, how far it is, or what became of each."""
    found = batch_for(request, pk)
    part = "#report" if request.htmx and not request.htmx.history_restore_request else ""
    return render(request, f"review/batch.html{part}", _context(request, found))


@require_POST
@operators
@on_page(batch)
def do(request: PageRequest, pk: int) -> HttpResponse:
    """Do what was seen, or go on with it."""
    found = batch_for(request, pk, to_do=True)
    if found.state == State.DRAFT:
        how = read(How, request.POST).of(found.verb)
        if how.get("also_bad") is False:
            how["note"] = ""  # it stands beside the box that wasn't checked
        Batch.objects.filter(pk=found.pk).update(**how)
    batches.start(found)
    return redirect("review:batch", found.pk)


@require_POST
@operators
def undo(request: PageRequest, key: str) -> HttpResponse:
    """Take back every decision of a batch that still stands."""
    if not decisions_for(request.user).filter(batch=key).exists():
        raise Http404("There is no such batch. Look at the list of decisions.")
    found = batches.undoing(key, by=request.user)
    batches.start(found)
    return redirect("review:batch", found.pk)


def batch_for(request: PageRequest, pk: int, *, to_do: bool = False) -> Batch:
    """A batch of this operator's, to look at also one that another began; 404 otherwise."""
    readable = Q(by=request.user) if to_do else Q(by=request.user) | ~Q(state=State.DRAFT)
    found = Batch.objects.select_related("by").filter(readable, pk=pk).first()
    if found is None:
        raise Http404(
            "There is no such batch of yours. What was chosen and not done is kept for an hour, and nothing of it was "
            "done: choose again in the queue."
        )
    return found


@dataclass(frozen=True, slots=True)
class Line:
    """One proposal of a batch, and why it isn't done, where it isn't."""

    pk: int
    said: str
    predicate: str
    why: str


def _context(request: PageRequest, found: Batch) -> dict[str, Any]:
    """What the page of a batch shows, in whatever state it is."""
    shown = _preview(found) if found.state == State.DRAFT else _report(found)
    return shown | {
        "batch": found,
        "is_mine": found.by == request.user,
        "reasons": REASONS,
        "until": UNTIL,
        "typed": request.POST,
    }


def _preview(found: Batch) -> dict[str, Any]:
    foreseen = batches.foresee(found)
    left_out = batches.left_out(found, foreseen)
    whys = {pk: why or left_out.get(pk, "") for pk, why in foreseen.items()}
    lines = _lines(whys.items())
    total = found.items.count()
    return {
        "is_draft": True,
        "total": total,
        "foreseen": sum(not why for why in whys.values()),
        "unforeseen": total - len(foreseen),
        "left_out": len(left_out),
        "left": [line for line in lines if line.pk in left_out],
        "refused": [line for line in lines if line.why and line.pk not in left_out],
        "done": [line for line in lines if not line.why],
    }


def _report(found: Batch) -> dict[str, Any]:
    standing = found.decisions.standing()
    refused = found.items.exclude(why="")
    is_undoing = found.state == State.UNDOING
    counts = {
        "done": found.decisions.count(),
        "undone": found.decisions.exclude(undone_at=None).count(),
        "left": refused.count(),
        "waiting": standing.count() if is_undoing else found.waiting().count(),
    }
    job = Job.objects.filter(kind=batches.KIND, subject=batches.subject_of(found)).first()
    return {
        "title": TITLES.get(found.state) or (DOING if found.state == State.STARTED else DONE)[found.verb],
        "counts": counts,
        "total": counts["done"] if is_undoing else found.items.count(),
        "refused": _lines(refused.values_list("proposal", "why")[:ITEMS_SHOWN]),
        "done": _lines((pk, "") for pk in found.decisions.values_list("proposal", flat=True)[:ITEMS_SHOWN]),
        "job": job,
        "reason": REASONS.get(found.reason, ""),
        "waits": waits_until(found.until) if found.verb == Decision.Verb.DEFERRED else "",
        "can_undo": standing.exists() and not (job and job.is_open),
    }


def _lines(whys: Iterable[tuple[int, str]]) -> list[Line]:
    rows, registry = dict(whys), Predicate.objects.registry()
    found = Proposal.objects.defer("vector").in_bulk(rows)
    return [Line(pk, statement(found[pk], registry), found[pk].predicate, why) for pk, why in rows.items()]
