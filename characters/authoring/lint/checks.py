"""What a sheet says twice or against itself, by predicates and words; what it leans on that isn't there or used."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, combinations

from characters.authoring.lint import counts, notes, opposites, relatives
from characters.authoring.lint.findings import Finding, Fix, removing, without_base
from characters.authoring.lint.notes import Read
from characters.authoring.lint.opposites import Registry
from characters.conversations.models import Stage
from characters.domain import lexicon
from characters.domain.entities import key
from characters.domain.facts import NOTE
from characters.domain.sheet import Fact, Sheet

_PLACES = frozenset({"BORN_IN", "GREW_UP_IN", "LIVES_IN"})
_KINDS_OF_PLACE = tuple(frozenset(map(key, lexicon.entries(section))) for section in ("cities", "countries"))
"""Of two places of one kind neither lies in the other."""
MOST_TURNS = 1_000
LEAST_TURNS = 30
"""Turns that used any fact, below which nothing is said about those that didn't come up."""
MOST_NOTED = 50
"""Facts and notes of one age, or one place, that are compared."""


def contradictions(sheet: Sheet, registry: Registry) -> Iterator[Finding]:
    """A predicate twice that holds one object, liked and disliked, said and denied, numbers that disagree."""
    listed: set[frozenset[str]] = set()
    facts = sheet.facts
    read = notes.read(facts, registry, sheet.name)
    findings = (
        single_valued(facts, registry),
        noted(facts, read),
        opposites.likings(facts, read),
        opposites.denials(facts, registry, read),
        counts.other_numbers(facts, registry),
        relatives.only_child(facts, registry),
        relatives.dead_and_alive(facts, registry),
    )
    for finding in chain.from_iterable(findings):
        if frozenset(finding.facts) not in listed:
            listed.add(frozenset(finding.facts))
            yield finding


def single_valued(facts: Sequence[Fact], registry: Registry) -> Iterator[Finding]:
    """More than one object of a predicate that can have one."""
    for name, predicate in registry.items():
        same = [fact for fact in facts if fact.predicate == name]
        if not predicate.many and len(same) > 1:
            objects = " and ".join(f"“{fact.object}”" for fact in same)
            yield opposites.contradiction(f"{name} can have only one value, but the draft has {objects}.", same)


def noted(facts: Sequence[Fact], read: Read) -> Iterator[Finding]:
    """A note of another age, or of another city or country, than a fact or another note."""
    by_predicate: dict[str, list[tuple[Fact, Fact]]] = {}
    for stated, fact in notes.stated(facts, read):
        if stated.predicate in {"HAS_AGE", *_PLACES}:
            by_predicate.setdefault(stated.predicate, []).append((stated, fact))
    for name, rows in by_predicate.items():
        for (stated, fact), (second_statement, second) in combinations(rows[:MOST_NOTED], 2):
            if NOTE in {fact.predicate, second.predicate} and _disagree(stated, fact, second_statement, second):
                sentence = f"{name} can have only one value, but the sheet says “{fact.object}” and “{second.object}”."
                yield opposites.contradiction(sentence, [fact, second])


def _disagree(stated: Fact, fact: Fact, other: Fact, second: Fact) -> bool:
    if stated.predicate == "HAS_AGE":
        ages = (counts.age(stated.object), counts.age(other.object))
        return None not in ages and ages[0] != ages[1]
    first_place, second_place = key(stated.object), key(other.object)
    apart = any(first_place in kind and second_place in kind for kind in _KINDS_OF_PLACE)
    both = ((fact, other), (second, stated))  # "I was born in Paris and in Rome"
    return apart and first_place != second_place and all(b.object.lower() not in a.object.lower() for a, b in both)


def missing_bases(sheet: Sheet, bases: Collection[str]) -> Iterator[Finding]:
    """Personas that go with a knowledge base that isn't there; `bases` are the slugs of those that are."""
    for persona in sheet.personas:
        for base in persona.bases:
            if base not in bases:
                fix = Fix(f"Remove “{base}”", (without_base(persona, base),))
                yield Finding(
                    "missing base", f"{persona.name} uses the base “{base}”, which doesn’t exist.", (), (fix,)
                )


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
