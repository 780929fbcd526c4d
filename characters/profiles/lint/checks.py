"""What a sheet says twice, or against itself: by predicates and words, without vectors."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from characters.profiles.lint.findings import Finding, Fix, keeping_one, removing, without_base
from characters.profiles.suggestions import patterns
from characters.profiles.suggestions.services import ALIKE
from characters.turn.entities import key
from characters.turn.facts import NOTE, sentence
from characters.turn.sheet import Fact, Predicate, Sheet
from kgadmin import words

Registry = Mapping[str, Predicate]

FOR = frozenset({"LIKES", "LOVES", "ENJOYS", "PREFERS", "CARES_ABOUT", "INTERESTED_IN"})
AGAINST = frozenset({"DISLIKES", "HATES"})
_NEGATIONS = frozenset(
    """not never no cannot can't won't don't doesn't didn't isn't aren't wasn't weren't haven't hasn't nothing nobody
    neither nor without""".split()
)
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
LEAST_STEMS = 2
"""Words with a subject that two sentences have to share before they are compared."""


def contradictions(sheet: Sheet, registry: Registry) -> Iterator[Finding]:
    """A predicate twice that holds one object, liked and disliked, said and denied, numbers that disagree."""
    told: set[frozenset[str]] = set()
    for finding in (*single_valued(sheet.facts, registry), *opposites(sheet.facts), *_by_words(sheet.facts, registry)):
        if frozenset(finding.facts) not in told:
            told.add(frozenset(finding.facts))
            yield finding


def single_valued(facts: Sequence[Fact], registry: Registry) -> Iterator[Finding]:
    """More than one object of a predicate that can have one."""
    for name, predicate in registry.items():
        found = [fact for fact in facts if fact.predicate == name]
        if not predicate.many and len(found) > 1:
            said = " and ".join(f"“{fact.object}”" for fact in found)
            yield _contradiction(f"{name} can hold one thing, and it says {said}.", found)


def opposites(facts: Sequence[Fact]) -> Iterator[Finding]:
    """The same thing liked and disliked."""
    against = {_said(fact): fact for fact in facts if fact.predicate in AGAINST}
    for fact in facts:
        other = against.get(_said(fact)) if fact.predicate in FOR else None
        if other:
            yield _contradiction(f"{fact.predicate} and {other.predicate} both say “{fact.object}”.", [fact, other])


def _by_words(facts: Sequence[Fact], registry: Registry) -> Iterator[Finding]:
    """Sentences of the same words, of which one denies, or in which numbers differ."""
    by_words: dict[frozenset[str], list[tuple[Fact, str]]] = {}
    for fact in facts:
        said = sentence(fact, registry.get(fact.predicate))
        stems = frozenset(words.stem(word) for word in _subjects(said))
        if len(stems) >= LEAST_STEMS:
            by_words.setdefault(stems, []).append((fact, said))
    for group in by_words.values():
        for (one, said), (other, also) in combinations(group, 2):
            if _denies(said) != _denies(also):
                yield _contradiction(f"“{said}” and “{also}” say the opposite.", [one, other])
            elif _numbers(said) and _numbers(also) and _numbers(said) != _numbers(also):
                yield _contradiction(f"The numbers of “{said}” and “{also}” disagree.", [one, other])


def _contradiction(said: str, facts: Sequence[Fact]) -> Finding:
    return Finding("contradiction", said, tuple(fact.id for fact in facts), keeping_one(facts))


def _said(fact: Fact) -> frozenset[str]:
    return frozenset(words.stems(fact.object)) or frozenset({key(fact.object)})


def _subjects(said: str) -> list[str]:
    return [
        word
        for word in words.tokens(said)
        if word not in words.STOP and word not in _NEGATIONS and not word[:1].isdigit()
    ]


def _denies(said: str) -> bool:
    return not _NEGATIONS.isdisjoint(words.tokens(said))


def _numbers(said: str) -> list[str]:
    return sorted(found.replace(",", "") for found in _NUMBER.findall(said))


def repeated_identity(sheet: Sheet, registry: Registry) -> Iterator[Finding]:
    """Facts that the identity text, which stands in every prompt, states as well."""
    read = patterns.extract(sheet.identity, names=[sheet.name], registered=registry)
    stated = {(name, key(found.object)): found for found in read for name in _alike(found.predicate)}
    for fact in sheet.facts:
        found = stated.get((fact.predicate, key(fact.object)))
        if found and fact.predicate != NOTE:
            where = sheet.identity[found.start : found.end]
            said = f"The identity text says “{fact.object}” already: “{where[:160]}”"
            yield Finding("repeated identity", said, (fact.id,), (Fix("Remove the fact", removing(fact)),))


def _alike(predicate: str) -> set[str]:
    return {predicate}.union(*(group for group in ALIKE if predicate in group))


def missing_bases(sheet: Sheet, bases: Collection[str]) -> Iterator[Finding]:
    """Personas that go with a knowledge base that isn't there; `bases` are the slugs of those that are."""
    for persona in sheet.personas:
        for base in persona.bases:
            if base not in bases:
                fix = Fix(f"Remove “{base}”", (without_base(persona, base),))
                yield Finding(
                    "missing base", f"{persona.name} goes with the base “{base}”, which isn’t there.", (), (fix,)
                )
