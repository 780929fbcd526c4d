"""What a sheet says twice, or against itself: by predicates and words, without vectors."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, combinations

from characters.authoring.lint import counts, notes, opposites, places, relatives
from characters.authoring.lint.findings import Finding, Fix, without_base
from characters.authoring.lint.notes import Read
from characters.authoring.lint.opposites import Registry
from characters.domain.facts import NOTE
from characters.domain.sheet import Fact, Sheet

_PLACES = frozenset({"BORN_IN", "GREW_UP_IN", "LIVES_IN"})
MOST_NOTED = 50
"""Facts and notes of one age, or one place, that are compared."""


def contradictions(sheet: Sheet, registry: Registry) -> Iterator[Finding]:
    """A predicate twice that holds one object, liked and disliked, said and denied, numbers that disagree."""
    told: set[frozenset[str]] = set()
    facts = sheet.facts
    said = notes.read(facts, registry, sheet.name)
    found = (
        single_valued(facts, registry),
        noted(facts, said),
        opposites.likings(facts, said),
        opposites.denials(facts, registry, said),
        counts.numbers(facts, registry),
        relatives.only_child(facts, registry),
        relatives.dead_and_alive(facts, registry),
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
            yield opposites.contradiction(f"{name} can have only one value, but the draft has {said}.", found)


def noted(facts: Sequence[Fact], said: Read) -> Iterator[Finding]:
    """A note of another age, or of another city or country, than a fact or another note."""
    by_predicate: dict[str, list[tuple[Fact, Fact]]] = {}
    for each, fact in notes.stated(facts, said):
        if each.predicate in {"HAS_AGE", *_PLACES}:
            by_predicate.setdefault(each.predicate, []).append((each, fact))
    for name, rows in by_predicate.items():
        for (one, first), (other, second) in combinations(rows[:MOST_NOTED], 2):
            if NOTE in {first.predicate, second.predicate} and _disagree(one, first, other, second):
                told = f"{name} can have only one value, but the sheet says “{first.object}” and “{second.object}”."
                yield opposites.contradiction(told, [first, second])


def _disagree(one: Fact, first: Fact, other: Fact, second: Fact) -> bool:
    if one.predicate == "HAS_AGE":
        ages = (counts.age(one.object), counts.age(other.object))
        return None not in ages and ages[0] != ages[1]
    return places.apart(one.object, other.object) and not _says(first, other) and not _says(second, one)


def _says(fact: Fact, place: Fact) -> bool:
    """Whether it names that place as well: "I was born in Paris and in Rome"."""
    return place.object.lower() in fact.object.lower()


def missing_bases(sheet: Sheet, bases: Collection[str]) -> Iterator[Finding]:
    """Personas that go with a knowledge base that isn't there; `bases` are the slugs of those that are."""
    for persona in sheet.personas:
        for base in persona.bases:
            if base not in bases:
                fix = Fix(f"Remove “{base}”", (without_base(persona, base),))
                yield Finding(
                    "missing base", f"{persona.name} uses the base “{base}”, which doesn’t exist.", (), (fix,)
                )
