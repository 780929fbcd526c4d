"""Plain sentences read like prose: what they say as predicate and object, so that they are compared like facts."""

from collections.abc import Iterable, Mapping, Sequence

from characters.domain.facts import NOTE
from characters.domain.sheet import Fact, Predicate
from characters.language.suggestions import patterns

Read = Mapping[str, Sequence[Fact]]
"""By id of a note what it says, as facts of its own id."""


def read(facts: Iterable[Fact], registry: Mapping[str, Predicate], name: str) -> Read:
    """What the notes of the character called `name` say; those that no pattern understands aren't in it."""
    said = {
        fact.id: [
            Fact(fact.id, found.predicate, found.object)
            for found in patterns.extract(fact.object, names=[name], registered=registry)
        ]
        for fact in facts
        if fact.predicate == NOTE
    }
    return {id: found for id, found in said.items() if found}


def stated(facts: Iterable[Fact], notes: Read) -> list[tuple[Fact, Fact]]:
    """What is said, each with the fact that says it: itself, or the note."""
    return [(said, fact) for fact in facts for said in notes.get(fact.id, [fact])]
