"""Facts that say the same in other words: by their sentences' vectors, and by the words that must not differ."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from characters.profiles.lint.checks import AGAINST, FOR, Registry
from characters.profiles.lint.findings import Finding, keeping_one
from characters.turn.facts import sentence, texts
from characters.turn.sheet import Fact
from kgadmin import words

ALIKE = 0.80
"""Cosine of two sentences from which they may say the same."""
SHARED = 0.34
"""Share of the words of both objects that they must have in common."""

Vectors = Mapping[str, NDArray[np.float32]]


def duplicates(facts: Sequence[Fact], registry: Registry, vectors: Vectors, name: str) -> Iterator[Finding]:
    """Pairs of facts of the character called `name`, the nearest first. One without a vector is compared with none."""
    said = [sentence(fact, registry.get(fact.predicate)) for fact in facts]
    embedded = [texts(fact, registry.get(fact.predicate), name).sentence for fact in facts]
    known = [place for place, text in enumerate(embedded) if text in vectors]
    if len(known) < 2:
        return
    matrix = np.stack([vectors[embedded[place]] for place in known])
    near = np.triu(matrix @ matrix.T, k=1)
    rows, columns = np.nonzero(near >= ALIKE)
    for row, column in sorted(zip(rows, columns, strict=True), key=lambda pair: -near[pair]):
        one, other = known[row], known[column]
        if _may_be_one(facts[one], facts[other], registry):
            told = f"“{said[one]}” and “{said[other]}” say nearly the same ({near[row, column]:.2f})."
            pair = (facts[one], facts[other])
            yield Finding("duplicate", told, (pair[0].id, pair[1].id), keeping_one(pair))


def _may_be_one(one: Fact, other: Fact, registry: Registry) -> bool:
    """Whether nothing tells them apart: a name, a number, another relative, liking from disliking."""
    return (
        _tells_apart(one) == _tells_apart(other)
        and _shared(one.object, other.object) >= SHARED
        and _kinds_agree(one, other, registry)
    )


def _tells_apart(fact: Fact) -> tuple[frozenset[str], bool]:
    """Names and numbers of the object, and whether it is against something."""
    tokens = fact.object.replace("’", "'").split()
    plain = [word.strip(".,;:!?()\"'“”") for word in tokens]
    names = {word.lower() for place, word in enumerate(plain) if place and word[:1].isupper()}
    rare = {word.lower() for word in plain[:1] if words.rarity(word.lower()) >= words.UNKNOWN}
    numbers = {word for word in plain if any(each.isdigit() for each in word)}
    return frozenset(names | rare | numbers), fact.predicate in AGAINST


def _shared(one: str, other: str) -> float:
    first, second = set(words.stems(one)), set(words.stems(other))
    return len(first & second) / len(first | second) if first and second else 0.0


def _kinds_agree(one: Fact, other: Fact, registry: Registry) -> bool:
    """The same predicate, or two of a family in which each has no person of its own."""
    if one.predicate == other.predicate or {one.predicate, other.predicate} <= FOR:
        return True
    families = [registry[each.predicate].family if each.predicate in registry else "other" for each in (one, other)]
    return "family" not in families
