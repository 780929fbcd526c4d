"""Use of knowledge bases: in how many turns each had a hit, was primary, was used, and was false by a label."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum
from ninja import Schema

from characters.conversations.models import BaseUse, TurnMetrics
from kgadmin.knowledge.models import Document, KnowledgeBase, KnowledgeBaseQuerySet
from kgadmin.operations.periods import PERIODS, Period
from playground.routing.models import Label

Kind = Literal["hit", "primary", "used", "false"]
STRIP_HEIGHT = 20

_IS_PRIMARY = Q(section=BaseUse.Section.PRIMARY)
_LABELS = Label.objects.filter(message__turns=OuterRef("turn")).exclude(base=OuterRef("base"))
KINDS: Mapping[Kind, Q] = {
    "hit": Q(hits__gt=0),
    "primary": _IS_PRIMARY,
    "used": Q(passages__gt=0),
    "false": _IS_PRIMARY & Q(Exists(_LABELS)),
}
"""Turns of each kind: the base had a hit, was primary, has passages in the prompt; or was primary though a label says
another base or none.
"""


class UseAsked(Schema):
    """The period of a base's figures."""

    period: Literal["24h", "7d", "30d"] = "30d"

    @property
    def span(self) -> Period:
        """Return the period."""
        return PERIODS[self.period]


class TurnsAsked(UseAsked):
    """The turns to list: those that a figure of the period counts."""

    kind: Kind = "hit"


@dataclass(frozen=True, slots=True)
class Use:
    """One base in a period: turns that asked it, and of them those of each kind; hits and passages of all of them."""

    base: KnowledgeBase
    """With `failed_count` and `last_used`."""
    asked: int
    hit: int
    primary: int
    used: int
    false: int
    hits: int
    passages: int
    steps: Sequence[int]
    """Turns with a hit, by step of the period."""

    @property
    def hit_percent(self) -> int | None:
        """Return the share of turns with a hit; None if none asked it."""
        return _percent(self.hit, self.asked)

    @property
    def primary_percent(self) -> int | None:
        """Return the share of turns in which it was primary; None if none asked it."""
        return _percent(self.primary, self.asked)

    @property
    def strip(self) -> str:
        """Return the steps as bars: an SVG path, one unit wide each, `STRIP_HEIGHT` high."""
        most = max(self.steps) or 1
        heights = [(place, max(2, STRIP_HEIGHT * count / most)) for place, count in enumerate(self.steps) if count]
        return "".join(f"M{place + 0.1:.1f} {STRIP_HEIGHT}v-{height:.1f}h.8v{height:.1f}z" for place, height in heights)


@dataclass(frozen=True, slots=True)
class BaseFigures:
    """The use of bases in a period, the most used first; and of all turns that asked any, those with a hit in one."""

    uses: list[Use]
    asked: int
    hit: int

    @property
    def hit_percent(self) -> int | None:
        """Return the share of turns with a hit; None if none asked a base."""
        return _percent(self.hit, self.asked)


def _percent(count: int, of: int) -> int | None:
    return round(100 * count / of) if of else None


def figures_of(bases: KnowledgeBaseQuerySet, period: Period) -> BaseFigures:
    """Return the use of these bases, in as many queries for one as for all."""
    shown = list(_annotated(bases))
    rows = BaseUse.objects.filter(base__in=[base.pk for base in shown], hour__gte=period.first())
    counts, false, asked = _counts(rows, period), _false(rows), Counter[int]()
    lists = _asked(period)
    for keys, turns, _ in lists:
        asked.update(dict.fromkeys(keys, turns))
    uses = [_use(base, asked[base.pk], counts.get(base.pk, ()), false.get(base.pk, 0), period) for base in shown]
    return BaseFigures(
        uses=sorted(uses, key=lambda use: (-use.used, -use.hit, use.base.name)),
        asked=sum(turns for keys, turns, _ in lists if keys),
        hit=sum(with_hit for _, _, with_hit in lists),
    )


def _annotated(bases: KnowledgeBaseQuerySet) -> KnowledgeBaseQuerySet:
    shown = BaseUse.objects.filter(KINDS["used"], base=OuterRef("pk")).order_by("-turn_id")
    failed = Count("documents", filter=Q(documents__state=Document.State.FAILED))
    return bases.annotate(failed_count=failed, last_used=Subquery(shown.values("turn__created_at")[:1]))


def _asked(period: Period) -> list[tuple[list[int], int, int]]:
    """Return the lists of bases that turns asked, each with the number of its turns, and of those with a hit."""
    rows = TurnMetrics.objects.filter(hour__gte=period.first())
    counted = rows.values_list("asked").annotate(turns=Count("pk"), with_hit=Count("pk", filter=KINDS["hit"]))
    return list(counted.order_by())


def _counts(rows: QuerySet[BaseUse], period: Period) -> dict[int, list[Mapping[str, Any]]]:
    """Return the counts of each base by step of the period."""
    counted = rows.annotate(step=(F("hour") - period.first()) / period.step).values("base", "step")
    kinds = {kind: Count("pk", filter=KINDS[kind]) for kind in ("hit", "primary", "used")}
    sums = {"hit_count": Sum("hits"), "passage_count": Sum("passages")}
    by_base: dict[int, list[Mapping[str, Any]]] = {}
    for row in counted.annotate(**kinds, **sums).order_by():
        by_base.setdefault(row["base"], []).append(row)
    return by_base


def _false(rows: QuerySet[BaseUse]) -> dict[int, int]:
    labelled = Label.objects.filter(message__isnull=False).values("message__turns")  # few: turns are found by them
    false = rows.filter(KINDS["false"], turn__in=labelled)
    return dict(false.values_list("base").annotate(Count("pk")).order_by())


def _use(base: KnowledgeBase, asked: int, rows: Sequence[Mapping[str, Any]], false: int, period: Period) -> Use:
    by_step = {row["step"]: row["hit"] for row in rows}
    hit, primary, used, hits, passages = (
        sum(row[name] for row in rows) for name in ("hit", "primary", "used", "hit_count", "passage_count")
    )
    steps = [by_step.get(step, 0) for step in range(period.steps)]
    return Use(base, asked, hit, primary, used, false, hits, passages, steps)


def turns_of(base: KnowledgeBase, asked: TurnsAsked) -> QuerySet[BaseUse]:
    """Return the turns that a figure counts, the newest first."""
    rows = base.uses.filter(KINDS[asked.kind], hour__gte=asked.span.first())
    related = rows.select_related("turn__message__conversation__character", "turn__message__conversation__person")
    fields = (
        "base",
        "hits",
        "passages",
        "section",
        "turn__created_at",
        "turn__message__text",
        "turn__message__conversation__character__name",
        "turn__message__conversation__character__slug",
        "turn__message__conversation__person__name",
    )
    labels = Prefetch("turn__message__labels", Label.objects.select_related("base"))
    return related.only(*fields).prefetch_related(labels).order_by("-hour", "-turn_id")
