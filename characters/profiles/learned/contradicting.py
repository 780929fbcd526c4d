"""Which facts one contradicts: by how many of a kind there can be, and by what the words say."""

from collections.abc import Iterable, Iterator, Mapping

from characters.domain import words
from characters.domain.facts import sentence
from characters.domain.sheet import Fact, Predicate
from characters.language.contradictions import contradiction


def contradicted(facts: Iterable[Fact], fact: Fact, registry: Mapping[str, Predicate]) -> Iterator[Fact]:
    """Those that can't be true together with `fact`."""
    said, stems = _sentence(fact, registry), set(words.stems(fact.object))
    for other in facts:
        is_one = other.predicate == fact.predicate and not _may_be_many(fact, registry)
        if not is_one and stems.isdisjoint(words.stems(other.object)):
            continue
        if contradiction(_sentence(other, registry), said, only_one=is_one):
            yield other


def _sentence(fact: Fact, registry: Mapping[str, Predicate]) -> str:
    return sentence(fact, registry.get(fact.predicate))


def _may_be_many(fact: Fact, registry: Mapping[str, Predicate]) -> bool:
    return registry[fact.predicate].many if fact.predicate in registry else True
