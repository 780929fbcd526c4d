"""Facts that never came up in real turns. The counts come from above, by the dotted name in settings.FACT_USE."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.utils.module_loading import import_string

from characters.profiles.lint.findings import Finding, Fix, removing
from characters.profiles.models import Character
from characters.turn.sheet import Sheet

LEAST_TURNS = 30
"""Turns that used any fact, below which nothing is said about those that didn't come up."""


@dataclass(frozen=True, slots=True)
class FactUse:
    """In `turns` turns that used any fact: per id of a fact in how many."""

    turns: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)


def counted(character: Character, moment: datetime) -> FactUse:
    """How often her facts came up in real turns since then."""
    count: Callable[..., FactUse] = import_string(settings.FACT_USE)
    return count(character.pk, moment)


def never_used(sheet: Sheet, use: FactUse, live: Collection[str]) -> Iterator[Finding]:
    """Facts that no turn used; `live` are the ids of those that turns could use."""
    if use.turns < LEAST_TURNS:
        return
    for fact in sheet.facts:
        if fact.id in live and not use.counts.get(fact.id):
            said = f"{fact.predicate} “{fact.object}” came up in none of the last {use.turns:,} turns that used facts."
            yield Finding("never used", said, (fact.id,), (Fix("Remove the fact", removing(fact)),))
