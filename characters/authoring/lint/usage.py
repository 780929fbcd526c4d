"""Facts that never came up in real turns."""

from collections.abc import Collection, Iterator

from characters.authoring.lint.findings import Finding, Fix, removing
from characters.conversations.fact_use import FactUse
from characters.domain.sheet import Sheet

LEAST_TURNS = 30
"""Turns that used any fact, below which nothing is said about those that didn't come up."""


def never_used(sheet: Sheet, use: FactUse, live: Collection[str]) -> Iterator[Finding]:
    """Facts that no turn used; `live` are the ids of those that turns could use."""
    if use.turns < LEAST_TURNS:
        return
    for fact in sheet.facts:
        if fact.id in live and not use.counts.get(fact.id):
            said = f"{fact.predicate} “{fact.object}” was used in none of the last {use.turns:,} turns that used facts."
            yield Finding("never used", said, (fact.id,), (Fix("Remove the fact", removing(fact)),))
