"""Facts that never came up in real turns."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from characters.authoring.lint.findings import Finding, Fix, removing
from characters.conversations.models import Stage
from characters.domain.sheet import Sheet

MOST_TURNS = 1_000
LEAST_TURNS = 30
"""Turns that used any fact, below which nothing is said about those that didn't come up."""


@dataclass(frozen=True, slots=True)
class FactUse:
    """In how many of `turns` turns, those that used any fact, each fact was used, by its id."""

    turns: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)


def fact_use_since(character_id: int, moment: datetime) -> FactUse:
    """Counted over the last live turns since `moment`; sandboxes, variants and fixed replies don't count."""
    rows = Stage.objects.filter(
        name="background",
        status=Stage.Status.OK,
        turn__metrics__isnull=False,
        turn__message__conversation__character_id=character_id,
        turn__created_at__gte=moment,
    ).order_by("-turn_id")
    used = [facts for facts in rows.values_list("evidence__used", flat=True)[:MOST_TURNS] if facts]
    counts = Counter(fact["id"] for facts in used for fact in facts)
    return FactUse(turns=len(used), counts=dict(counts))


def never_used(sheet: Sheet, use: FactUse, live: Collection[str]) -> Iterator[Finding]:
    """Facts that no turn used; `live` are the ids of those that turns could use."""
    if use.turns < LEAST_TURNS:
        return
    for fact in sheet.facts:
        if fact.id in live and not use.counts.get(fact.id):
            name = f"{fact.predicate} “{fact.object}”"
            text = f"{name} was used in none of the last {use.turns:,} turns that used facts."
            yield Finding("never used", text, (fact.id,), (Fix("Remove the fact", removing(fact)),))
