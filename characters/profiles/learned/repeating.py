"""Whether a sheet says already what was learned."""

from characters.domain.entities import key
from characters.domain.sheet import Fact, Sheet
from characters.profiles.alike import alike


def repeated(sheet: Sheet, fact: Fact) -> Fact | None:
    """The first core fact that says the same of the same object."""
    predicates, of = alike(fact.predicate), key(fact.object)
    return next((core for core in sheet.facts if core.predicate in predicates and key(core.object) == of), None)
