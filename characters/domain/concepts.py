"""Concepts: the categories that a sheet's facts belong to. The author's come first, families fill in the rest."""

from collections.abc import Mapping, Sequence

from characters.domain.sheet import Concept, Predicate, Sheet

BY_AUTHOR, BY_FAMILY = 1.0, 0.5
"""How much a fact belongs to a concept."""
NO_FAMILY = "other"


def made(sheet: Sheet, predicates: Mapping[str, Predicate]) -> tuple[Concept, ...]:
    """Concepts for those predicates of the sheet that none of its own names: one per family, like "work"."""
    named = {predicate for concept in sheet.concepts for predicate in concept.predicates}
    by_family: dict[str, list[str]] = {}
    for name in dict.fromkeys(fact.predicate for fact in sheet.facts):
        family = predicates[name].family if name in predicates else NO_FAMILY
        if name not in named and family != NO_FAMILY:
            by_family.setdefault(family, []).append(name)
    return tuple(Concept(family, tuple(names)) for family, names in by_family.items())


def of_predicates(sheet: Sheet, predicates: Mapping[str, Predicate]) -> Mapping[str, Mapping[str, float]]:
    """By predicate the concepts that its facts belong to, and how much."""
    weights: dict[str, dict[str, float]] = {}
    for concepts, weight in ((sheet.concepts, BY_AUTHOR), (made(sheet, predicates), BY_FAMILY)):
        _add(weights, concepts, weight)
    return weights


def _add(weights: dict[str, dict[str, float]], concepts: Sequence[Concept], weight: float) -> None:
    for concept in concepts:
        for predicate in concept.predicates:
            weights.setdefault(predicate, {}).setdefault(concept.name, weight)
