"""Many at once: what would be done, doing it, and what became of each."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from characters.people.forms import first_error
from characters.people.pages import number
from characters.profiles.models import Predicate
from characters.review import batches
from characters.review.decisions import REASONS, Seen
from characters.review.filtering import address, read
from characters.review.forms import UNTIL, AlsoBadForm, ReasonForm, UntilForm
from characters.review.listing import statement
from characters.review.models import UNDECIDED, Batch, BatchItem, Decision
from characters.review.pages import ReviewRequest, operators, query_of
from characters.review.queue import listed, proposals_for
from characters.review.wording import DOING, waits_until
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job

ITEMS_SHOWN = 100
MOST_VERSIONS = 2**31
"""The column's limit."""
FORMS: Mapping[str, type[Form]] = {
    Batch.Verb.APPROVED: AlsoBadForm,
    Batch.Verb.REJECTED: ReasonForm,
    Batch.Verb.DEFERRED: UntilForm,
}
VERBS = {"approve": Batch.Verb.APPROVED, "reject": Batch.Verb.REJECTED, "defer": Batch.Verb.DEFERRED}


@require_POST
@operators
def choose(request: ReviewRequest) -> HttpResponse:
    """Choose proposals (`chosen`, "id:version"), or all that the filter lets through: `everything`."""
    verb = VERBS.get(request.POST.get("verb", ""))
    seen = _everything(request) if "everything" in request.POST else _chosen(request)
    if verb is None or not seen:
        messages.error(request, "Choose at least one proposal that waits, then what to do with them.")
        return redirect(address(None, query_of(request)))
    return redirect("review:batch", batches.choose(seen, verb=verb, by=request.user, back=query_of(request)[:500]).pk)


def _everything(request: ReviewRequest) -> list[Seen]:
    rows = listed(request.user, read(request.GET)).filter(state__in=UNDECIDED)
    return [Seen(pk, version) for pk, version in rows.values_list("pk", "version")[: batches.MOST]]


def _chosen(request: ReviewRequest) -> list[Seen]:
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
def batch(request: ReviewRequest, pk: int) -> HttpResponse:
    """What would be done, how far it is, or what became of each."""
    found = batch_for(request, pk)
    part = "#report" if request.htmx and not request.htmx.history_restore_request else ""
    return render(request, f"review/batch.html{part}", _context(found, request.user))


@require_POST
@operators
def do(request: ReviewRequest, pk: int) -> HttpResponse:
    """Do what was seen."""
    found = batch_for(request, pk, to_do=True)
    form = FORMS.get(found.verb)
    filled = form(request.POST) if form and found.state == Batch.State.DRAFT else None
    if filled and not filled.is_valid():
        context = _context(found, request.user) | {"error": first_error(filled), "typed": request.POST}
        return render(request, "review/batch.html", context, status=400)
    if filled:
        Batch.objects.filter(pk=found.pk).update(**filled.cleaned_data)
        found.refresh_from_db()
    batches.start(found)
    return redirect("review:batch", found.pk)


def batch_for(request: ReviewRequest, pk: int, *, to_do: bool = False) -> Batch:
    """A batch of this operator's, to look at also one that another began; 404 otherwise."""
    readable = Q(by=request.user) if to_do else Q(by=request.user) | ~Q(state=Batch.State.DRAFT)
    found = Batch.objects.select_related("by").filter(readable, pk=pk).first()
    if found is None:
        raise Http404(
            "There is no such batch of yours. What was chosen and not done is kept for an hour, and nothing of it was "
            "done: choose again in the queue."
        )
    return found


def _context(found: Batch, user: User) -> dict[str, Any]:
    """What the page of a batch shows this operator, in whatever state it is."""
    is_draft = found.state == Batch.State.DRAFT
    foreseen = batches.foresee(found) if is_draft else {}
    kinds = BatchItem.Outcome
    counts = found.items.aggregate(
        total=Count("pk"), waiting=Count("pk", filter=Q(outcome="")), **_each(BatchItem.Outcome.values)
    )
    rows = found.items.select_related("proposal").defer("proposal__vector").order_by("pk")
    registry = Predicate.objects.registry()
    items = [
        (item, statement(item.proposal, registry), *foreseen.get(item.proposal_id, (item.outcome, item.why)))
        for item in _shown(rows, is_draft=is_draft)
    ]
    refused = [item for item in items if item[2] in {kinds.SKIPPED, kinds.FAILED}]
    left_out = batches.left_out(found, foreseen) if is_draft else set()
    return {
        "batch": found,
        "title": found.get_verb_display() if found.state == Batch.State.DONE else DOING[found.verb],
        "is_draft": is_draft,
        "is_mine": found.by == user,
        "counts": counts,
        "foreseen": sum(outcome == kinds.DONE for outcome, _ in foreseen.values()),
        "unforeseen": counts["total"] - len(foreseen),
        "left_out": left_out,
        "left": [item for item in refused if item[0].proposal_id in left_out],
        "refused": [item for item in refused if item[0].proposal_id not in left_out],
        "not_done": counts["skipped"] + counts["failed"],
        "done": [item for item in items if item[2] == kinds.DONE],
        "job": Job.objects.filter(kind=batches.KIND, subject=batches.subject_of(found)).first(),
        "reasons": REASONS,
        "until": UNTIL,
        "reason": REASONS.get(found.reason, ""),
        "waits": waits_until(found.until) if found.verb == Batch.Verb.DEFERRED else "",
        "can_undo": _standing(found),
    }


def _shown(rows: Any, *, is_draft: bool) -> list[BatchItem]:
    """What couldn't be done, then some of what was; of a batch that isn't begun its first."""
    if is_draft:
        return list(rows[:ITEMS_SHOWN])
    refused = rows.filter(outcome__in=[BatchItem.Outcome.SKIPPED, BatchItem.Outcome.FAILED])
    return [*refused[:ITEMS_SHOWN], *rows.filter(outcome=BatchItem.Outcome.DONE)[:ITEMS_SHOWN]]


def _each(outcomes: list[str]) -> dict[str, Count]:
    return {name: Count("pk", filter=Q(outcome=name)) for name in outcomes}


def _standing(found: Batch) -> bool:
    is_over = found.state == Batch.State.DONE and found.verb != Batch.Verb.UNDONE
    return is_over and Decision.objects.standing().filter(batch=found.key).exists()
