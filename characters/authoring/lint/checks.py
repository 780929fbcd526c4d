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
    return places.apart(stated.object, other.object) and not _says(fact, other) and not _says(second, stated)


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
