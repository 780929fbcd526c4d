"""What was decided, press by press, and taking any of it back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from characters.domain.sheet import Fact
from characters.people.pages import number
from characters.profiles.models import Predicate
from characters.review.decisions import REASONS
from characters.review.listing import Registry
from characters.review.models import Batch, Decision
from characters.review.pages import operators
from characters.review.queue import decisions_for
from characters.review.verdicts.found import said
from characters.review.wording import DONE, ago, waited_until
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import PageRequest

PRESSES_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Press:
    """One decision, or a batch of them."""

    decision: Decision
    said: str
    was: str
    """What it had been before an operator put it in these words; empty where nobody did."""
    verb: str
    reason: str
    waited: str
    """Until when it was deferred."""
    age: str
    of_batch: int
    standing: int
    """How many of them still stand."""
    report: int | None

    @property
    def can_undo(self) -> bool:
        return bool(self.standing)


@require_safe
@operators
def decisions(request: PageRequest) -> HttpResponse:
    """All decisions, the newest first: `?by=`, `?verb=`, `?page=`."""
    by, verb = number(request.GET.get("by", "")), request.GET.get("verb", "")
    rows = _presses(request.user)
    rows = rows.filter(by=by) if by else rows
    rows = rows.filter(verb=verb) if verb in DONE else rows
    shown: Page[Decision] = Paginator(rows, PRESSES_A_PAGE).get_page(request.GET.get("page"))
    people = User.objects.filter(Exists(Decision.objects.filter(by=OuterRef("pk")))).order_by("username")
    context = {
        "page": shown,
        "presses": list(_told(shown, Predicate.objects.registry())),
        "people": people,
        "by": by,
        "verb": verb,
        "verbs": DONE.items(),
    }
    return render(request, "review/decisions.html", context)


def to_undo_together(request: PageRequest, decision: Decision) -> HttpResponse:
    """Where a batch is taken back: nobody undoes hundreds by one key without having seen how many."""
    done = Batch.objects.filter(key=decision.batch).exclude(state=Batch.State.STARTED).first()
    where = reverse("review:batch", args=[done.pk]) if done else reverse("review:decisions")
    messages.info(request, "What you decided last was done to many at once. Undo them here.")
    return HttpResponseClientRedirect(where) if request.htmx else redirect(where)


def last_decision(user: User) -> Decision | None:
    """What this operator decided last, of what still stands."""
    return decisions_for(user).standing().filter(by=user).order_by("-pk").first()


def _presses(user: User) -> QuerySet[Decision]:
    """The last decision of each press, with how many there were and how many can be taken back."""
    of_batch = Decision.objects.filter(batch=OuterRef("batch")).exclude(batch="").order_by()
    standing = of_batch.standing()
    rows = decisions_for(user).filter(Q(batch="") | ~Exists(of_batch.filter(pk__gt=OuterRef("pk"))))
    counted = rows.annotate(
        of_batch=Subquery(of_batch.values("batch").annotate(count=Count("pk")).values("count")),
        of_batch_standing=Subquery(standing.values("batch").annotate(count=Count("pk")).values("count")),
        stands=Exists(Decision.objects.standing().filter(pk=OuterRef("pk"))),
        report=Subquery(Batch.objects.filter(key=OuterRef("batch")).exclude(key="").values("pk")[:1]),
    )
    return counted.select_related("proposal", "proposal__character", "by").defer("proposal__vector").order_by("-pk")


def _said(row: Decision, registry: Registry) -> str:
    """In the words that were decided on, whatever became of them since."""
    return _sentence(row.after or row.before, registry)


def _was(row: Decision, registry: Registry) -> str:
    before = _sentence(row.before, registry)
    return before if before != _said(row, registry) else ""


def _sentence(told: Mapping[str, Any], registry: Registry) -> str:
    return said(Fact("", told["predicate"], told["object"]), dict(registry))


def _told(rows: Iterable[Decision], registry: Registry) -> Iterable[Press]:
    for row in rows:
        in_batch = row.of_batch or 0  # type: ignore[attr-defined]  # annotated
        yield Press(
            decision=row,
            said=_said(row, registry),
            was=_was(row, registry),
            verb=DONE[row.verb],
            reason=REASONS.get(row.reason, row.reason),
            waited=waited_until(row.after),
            age=ago(row.at),
            of_batch=in_batch,
            standing=(row.of_batch_standing or 0) if in_batch else int(row.stands),  # type: ignore[attr-defined]
            report=row.report,  # type: ignore[attr-defined]  # annotated
        )
