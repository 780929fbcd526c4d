"""Whether a sheet says already what was learned."""

from characters.profiles.alike import alike
from characters.turn.entities import key
from characters.turn.sheet import Fact, Sheet


def repeated(sheet: Sheet, fact: Fact) -> Fact | None:
    """The first core fact that says the same of the same object."""
    predicates, of = alike(fact.predicate), key(fact.object)
    return next((core for core in sheet.facts if core.predicate in predicates and key(core.object) == of), None)
