"""Which facts say the same as another one, and which contradict it."""

from collections.abc import Iterable, Iterator, Mapping

from characters.domain import words
from characters.domain.entities import key
from characters.domain.facts import sentence
from characters.domain.sheet import Fact, Predicate, Sheet
from characters.language.contradictions import contradiction

ALIKE = (
    frozenset({"LIKES", "LOVES", "ENJOYS"}),
    frozenset({"DISLIKES", "HATES"}),
    frozenset({"IS_A", "HAS_JOB", "WORKS_AS"}),
    frozenset({"HAS_HOBBY", "ENJOYS"}),
)
"""Predicates that say nearly the same of the same object."""


def alike(predicate: str) -> set[str]:
    """The predicate, and those beside which it says nothing new of the same object."""
    return {predicate}.union(*(group for group in ALIKE if predicate in group))


def repeated(sheet: Sheet, fact: Fact) -> Fact | None:
    """The first core fact that says the same of the same object."""
    predicates, of = alike(fact.predicate), key(fact.object)
    return next((core for core in sheet.facts if core.predicate in predicates and key(core.object) == of), None)


def contradicted(facts: Iterable[Fact], fact: Fact, registry: Mapping[str, Predicate]) -> Iterator[Fact]:
    """Those that can't be true together with `fact`."""
    statement, stems = _sentence(fact, registry), set(words.stems(fact.object))
    has_one = fact.predicate in registry and not registry[fact.predicate].many
    for other in facts:
        is_one = has_one and other.predicate == fact.predicate
        if not is_one and stems.isdisjoint(words.stems(other.object)):
            continue
        if contradiction(_sentence(other, registry), statement, only_one=is_one):
            yield other


def _sentence(fact: Fact, registry: Mapping[str, Predicate]) -> str:
    return sentence(fact, registry.get(fact.predicate))
