"""The dashboard with its small charts, and drift, with a button that mends it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from kgadmin.accounts.roles import has_role, role_required
from kgadmin.operations import dashboard
from kgadmin.operations.dashboard import Share
from kgadmin.operations.health import look
from kgadmin.projection import services as projection
from kgadmin.projection.tasks import sweep
from kgadmin.rest.actions import answer
from kgadmin.stores.errors import StoreError

DEFAULT_PERIOD = "24h"
WIDTH = 200
SHARE_HEIGHT = 36

Values = Sequence[float | None]

operators = role_required("operator")


@require_safe
@operators
@never_cache
def overview(request: HttpRequest) -> HttpResponse:
    """What turns found and how long they took in a period (`?period=24h|7d|30d`), and what waits now."""
    period = dashboard.PERIODS.get(request.GET.get("period", DEFAULT_PERIOD))
    if period is None:
        raise Http404(f"There is no such period. Choose one of {', '.join(dashboard.PERIODS)}.")
    shown = dashboard.overview(period)
    context = {
        "period": period,
        "periods": dashboard.PERIODS.values(),
        "turns": shown.turns,
        "shares": [share_chart(share) for share in shown.shares],
        "times": shown.times,
        "every": shown.every,
        "over": [each.name for each in shown.times if each.is_over],
        "failures": shown.failures,
        "waiting": shown.waiting,
        "parts": look(),
        "may_trace": has_role(request.user, "tester"),
    }
    return render(request, "operations/dashboard.html", context)


@require_safe
@operators
@never_cache
def drift(request: HttpRequest) -> HttpResponse:
    """Compare both projections with the database, now."""
    compared, errors = [], []
    for store in projection.STORES:
        try:
            compared += [(store, each, "bad" if each.differences else "good") for each in projection.compare(store)]
        except StoreError as error:
            errors.append(error.message)
    context = {
        "compared": compared,
        "errors": errors,
        "differences": [(store, each) for store, comparison, _ in compared for each in comparison.differences],
        "stores": sorted({store for store, comparison, _ in compared if comparison.differences}),
        "waiting": projection.waiting(),
    }
    return render(request, "operations/drift.html", context)


@require_POST
@operators
def repair(request: HttpRequest, store: str) -> HttpResponse:
    """Have a store written anew out of the database."""
    if store not in projection.STORES:
        raise Http404("There is no such store. Choose graph or vectors.")
    projection.rebuild(store)
    sweep.delay()
    message = f"A worker is rebuilding the {store}. Turns continue, but may find less until it is done."
    return answer(request, message, "operations:drift")


@dataclass(frozen=True, slots=True)
class ShareChart:
    """A share over time; its scale goes from none to all turns."""

    share: Share
    line: str
    area: str


def share_chart(share: Share) -> ShareChart:
    """Lines need two points; of one there is the number alone."""
    line = points(share.steps, 1.0, SHARE_HEIGHT)
    if not line:
        return ShareChart(share, "", "")
    first, last = line.split(" ")[0].split(",")[0], line.split(" ")[-1].split(",")[0]
    return ShareChart(share, line, f"{first},{SHARE_HEIGHT} {line} {last},{SHARE_HEIGHT}")


def points(values: Values, top: float, height: int) -> str:
    """ "0.0,36.0 8.7,12.5 ...": steps without a value are left out; empty for fewer than two."""
    across = WIDTH / max(1, len(values) - 1)
    shown = [
        f"{place * across:.1f},{height * (1 - value / top):.1f}"
        for place, value in enumerate(values)
        if value is not None
    ]
    return " ".join(shown) if len(shown) > 1 else ""
