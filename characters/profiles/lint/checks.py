"""What a sheet says twice, or against itself: by predicates and words, without vectors."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from characters.profiles.lint import opposites
from characters.profiles.lint.findings import Finding, Fix, without_base
from characters.profiles.lint.opposites import Registry
from characters.turn.sheet import Fact, Sheet


def contradictions(sheet: Sheet, registry: Registry) -> Iterator[Finding]:
    """A predicate twice that holds one object, liked and disliked, said and denied, numbers that disagree."""
    told: set[frozenset[str]] = set()
    facts = sheet.facts
    found = (
        single_valued(facts, registry),
        opposites.likings(facts),
        opposites.denials(facts, registry),
        opposites.numbers(facts, registry),
    )
    for finding in chain.from_iterable(found):
        if frozenset(finding.facts) not in told:
            told.add(frozenset(finding.facts))
            yield finding


def single_valued(facts: Sequence[Fact], registry: Registry) -> Iterator[Finding]:
    """More than one object of a predicate that can have one."""
    for name, predicate in registry.items():
        found = [fact for fact in facts if fact.predicate == name]
        if not predicate.many and len(found) > 1:
            said = " and ".join(f"“{fact.object}”" for fact in found)
            yield opposites.contradiction(f"{name} can hold one thing, and it says {said}.", found)


def missing_bases(sheet: Sheet, bases: Collection[str]) -> Iterator[Finding]:
    """Personas that go with a knowledge base that isn't there; `bases` are the slugs of those that are."""
    for persona in sheet.personas:
        for base in persona.bases:
            if base not in bases:
                fix = Fix(f"Remove “{base}”", (without_base(persona, base),))
                yield Finding(
                    "missing base", f"{persona.name} goes with the base “{base}”, which isn’t there.", (), (fix,)
                )
