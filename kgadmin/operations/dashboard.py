"""Figures of the dashboard on live turns, and waiting work."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast

from django.db.models import Count, F, Max, Min, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from characters.conversations.models import Message, Stage, Turn, TurnMetrics
from characters.turn.trace import BUDGETS_MS, STAGES, TURN_BUDGET_MS
from kgadmin.jobs.models import OPEN, Job
from kgadmin.knowledge.models import Document, KnowledgeBase
from kgadmin.operations.base_use import BaseFigures, figures_of
from kgadmin.operations.periods import Period
from kgadmin.projection import services as projection
from kgadmin.projection.models import Lease

SAMPLE = 2_000
"""Most turns that are read; of more, every second, third ... is."""
SHOWN = 5
TURN = "turn"
WHERE_KNOWN = "Connections, where the graph knew something"


@dataclass(frozen=True, slots=True)
class Share:
    """Number of turns in which something was found, out of `of` turns, which may be fewer than all."""

    name: str
    source: str
    """Stage whose hue it has."""
    count: int
    of: int
    steps: Sequence[float | None]
    """The share by step of the period; None without turns."""
    note: str = "of turns"

    @property
    def percent(self) -> int | None:
        """Return the percentage; None if nothing could be found."""
        return round(100 * self.count / self.of) if self.of else None

    @property
    def line(self) -> str:
        """Return the steps as SVG points of a chart of 200 by 36; empty for fewer than two points."""
        across = 200 / max(1, len(self.steps) - 1)
        points = [f"{i * across:.1f},{36 * (1 - step):.1f}" for i, step in enumerate(self.steps) if step is not None]
        return " ".join(points) if len(points) > 1 else ""


@dataclass(frozen=True, slots=True)
class Times:
    """How long a stage took, in ms."""

    name: str
    p50: float
    p95: float
    runs: int

    @property
    def budget(self) -> int:
        """Return its budget."""
        return TURN_BUDGET_MS if self.name == TURN else BUDGETS_MS[self.name]

    @property
    def is_over(self) -> bool:
        """Return whether the 95th percentile exceeds the budget."""
        return self.p95 > self.budget


_SHARES = (
    ("Background", "background", "background"),
    ("User facts", "user_facts", "user-facts"),
    ("Common ground", "common_ground", "user-facts"),
    ("Ambient connections", "ambient", "connections"),
    ("Memory", "memory", "memory"),
    ("Documents", "documents", "primary"),
)
"""Labels, columns of `TurnMetrics`, and hues."""


def shares(period: Period, every: int) -> list[Share]:
    """Return in how many of the turns that are read each kind of knowledge was found."""
    rows = _counts(period, every)
    read, knew = _sum(rows, "turns"), _sum(rows, "with_knew")
    counted = [
        Share(label, hue, _sum(rows, f"with_{name}"), read, _steps(rows, period, f"with_{name}"))
        for label, name, hue in _SHARES
    ]
    where_known = Share(
        WHERE_KNOWN,
        "connections",
        _sum(rows, "with_known_ambient"),
        knew,
        _steps(rows, period, "with_known_ambient", "with_knew"),
        f"of {knew:,} turns",
    )
    return [*counted[:4], where_known, *counted[4:]]


def _counts(period: Period, every: int) -> list[dict[str, int]]:
    first = period.first()
    counted = {f"with_{name}": Count("pk", filter=Q(**{f"{name}__gt": 0})) for _, name, _ in _SHARES}
    rows = (
        _sampled(period, every)
        .annotate(step=(F("hour") - first) / period.step)
        .values("step")
        .annotate(
            turns=Count("pk"),
            with_knew=Count("pk", filter=Q(knew=True)),
            with_known_ambient=Count("pk", filter=Q(knew=True, ambient__gt=0)),
            **counted,
        )
        .order_by("step")
    )
    return cast(list[dict[str, int]], list(rows))


def _sum(rows: Iterable[Mapping[str, int]], name: str) -> int:
    return sum(row[name] for row in rows)


def _steps(rows: Iterable[Mapping[str, int]], period: Period, name: str, of: str = "turns") -> list[float | None]:
    by_step = {row["step"]: row[name] / row[of] for row in rows if row[of]}
    return [by_step.get(step) for step in range(period.steps)]


def times(period: Period, every: int) -> list[Times]:
    """Return times of each stage that had work and of the whole assembling, of the turns that are read."""
    read = _sampled(period, every).values("turn")
    worked = Stage.objects.filter(name__in=BUDGETS_MS).exclude(status=Stage.Status.SKIPPED)
    stages = worked.filter(turn__in=read)
    assembled = Turn.objects.filter(assembled_ms__isnull=False, pk__in=read)
    overall = percentiles(stages, "elapsed_ms", "name")
    overall |= {(TURN, *key): value for key, value in percentiles(assembled, "assembled_ms").items()}
    return [Times(name, *overall[name,]) for name in (*STAGES, TURN) if (name,) in overall]


def _sampled(period: Period, every: int) -> QuerySet[TurnMetrics]:
    """Return the figures of every `every`-th turn of the period."""
    of_period = TurnMetrics.objects.filter(hour__gte=period.first())
    return of_period if every == 1 else of_period.annotate(remainder=F("pk") % every).filter(remainder=0)


def percentiles(rows: QuerySet[Any], value: str, *groups: str) -> dict[tuple[Any, ...], tuple[float, float, int]]:
    """Return (p50, p95, count) of a column, by group (nearest rank)."""
    partition = [F(name) for name in groups] or None
    ranked = rows.annotate(
        place=Window(RowNumber(), partition_by=partition, order_by=F(value).asc()),
        count=Window(Count("pk"), partition_by=partition),
    ).filter(Q(place=(F("count") + 1) / 2) | Q(place=(F("count") * 95 + 99) / 100))
    places: dict[tuple[Any, ...], list[tuple[float, int]]] = {}
    for *key, measured, count in ranked.order_by(value).values_list(*groups, value, "count"):
        places.setdefault(tuple(key), []).append((measured, count))
    return {key: (values[0][0], values[-1][0], values[0][1]) for key, values in places.items()}


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed stage: in how many turns, and the newest of them."""

    name: str
    count: int
    stage: Stage


def failures(period: Period) -> list[Failure]:
    """Return the failed stages: how often, and the newest of each with its sentence."""
    failed = Stage.objects.filter(status=Stage.Status.FAILED, turn__metrics__hour__gte=period.first())
    counted = list(failed.values("name").annotate(count=Count("pk"), newest=Max("pk")).order_by("-count", "name"))
    newest = Stage.objects.defer("evidence").in_bulk([row["newest"] for row in counted])
    return [Failure(row["name"], row["count"], newest[row["newest"]]) for row in counted]


WORK = {
    "ingest": ("Documents to read", "/knowledge/"),
    "import": ("Conversations to import", "/import/"),
    "remember": ("Messages waiting for fact extraction", "/people/"),
    "enrich": ("Message pairs to classify", "/enrichment/"),
}


@dataclass(frozen=True, slots=True)
class Waiting:
    """Waiting and failed work."""

    jobs: list[dict[str, Any]]
    unread: int
    """Number of messages whose facts haven't been read."""
    owners: int
    """Number of people, characters, bases and stores whose graph or vectors are older than the database."""
    leases: list[Lease]
    """Leases whose last projection failed."""
    failed_bases: list[KnowledgeBase]
    """Bases with documents that couldn't be read."""


def waiting(period: Period) -> Waiting:
    """Return what waits now, and what failed in the period."""
    return Waiting(
        jobs=_jobs(period),
        unread=Message.objects.unread().count(),
        owners=len(projection.waiting()),
        leases=list(Lease.objects.filter(failures__gt=0).order_by("-failures", "owner")[:SHOWN]),
        failed_bases=list(KnowledgeBase.objects.with_failures()),
    )


def _jobs(period: Period) -> list[dict[str, Any]]:
    since = timezone.now() - timedelta(hours=period.hours)
    states = Job.State
    open_or_failed = Q(state__in=OPEN) | Q(state=states.FAILED, finished_at__gte=since)
    rows = Job.objects.filter(open_or_failed).values("kind")
    counted = rows.annotate(
        queued=Count("pk", filter=Q(state=states.QUEUED)),
        running=Count("pk", filter=Q(state=states.RUNNING)),
        paused=Count("pk", filter=Q(state=states.PAUSED)),
        failed=Count("pk", filter=Q(state=states.FAILED)),
        oldest=Min("created_at", filter=Q(state__in=OPEN)),
    )
    by_kind: dict[str, dict[str, Any]] = {row["kind"]: {**row} for row in counted.order_by("kind")}
    nothing: dict[str, Any] = {"queued": 0, "running": 0, "paused": 0, "failed": 0, "oldest": None}
    # The job goes on without a document that can't be read.
    by_kind.setdefault("ingest", dict(nothing))["failed"] += Document.objects.failed().count()
    named = [{"label": label, "path": path, **nothing, **by_kind.pop(kind, {})} for kind, (label, path) in WORK.items()]
    return named + [{"label": kind.capitalize(), "path": "/health/", **row} for kind, row in by_kind.items()]


@dataclass(frozen=True, slots=True)
class Overview:
    """What turns found and how long they took in a period, and what waits now."""

    period: Period
    turns: int
    shares: list[Share]
    times: list[Times]
    bases: BaseFigures
    every: int
    """Every how manyth turn shares and times are from."""
    failures: list[Failure]
    waiting: Waiting


def overview(period: Period) -> Overview:
    """Return everything that the dashboard shows of a period."""
    turns = TurnMetrics.objects.filter(hour__gte=period.first()).count()
    every = max(1, -(-turns // SAMPLE))
    return Overview(
        period=period,
        turns=turns,
        shares=shares(period, every),
        times=times(period, every),
        bases=figures_of(KnowledgeBase.objects.all(), period),
        every=every,
        failures=failures(period),
        waiting=waiting(period),
    )
