"""Plain sentences read like prose: what they say as predicate and object, so that they are compared like facts."""

from collections.abc import Iterable, Mapping, Sequence

from characters.domain.facts import NOTE
from characters.domain.sheet import Fact, Predicate
from characters.language.suggestions import patterns

Read = Mapping[str, Sequence[Fact]]
"""By id of a note what it says, as facts of its own id."""


def read(facts: Iterable[Fact], registry: Mapping[str, Predicate], name: str) -> Read:
    """What the notes of the character called `name` say; those that no pattern understands aren't in it."""
    statements = {
        fact.id: [
            Fact(fact.id, match.predicate, match.object)
            for match in patterns.extract(fact.object, names=[name], registered=registry)
        ]
        for fact in facts
        if fact.predicate == NOTE
    }
    return {fact_id: read for fact_id, read in statements.items() if read}


def stated(facts: Iterable[Fact], notes: Read) -> list[tuple[Fact, Fact]]:
    """What is said, each with the fact that says it: itself, or the note."""
    return [(statement, fact) for fact in facts for statement in notes.get(fact.id, [fact])]
