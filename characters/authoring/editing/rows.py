"""The facts of a draft as the table shows them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from characters.domain import facts as turn_facts
from characters.domain import sheet as values
from characters.domain.sheet import Fact
from characters.profiles.comparison import Changes
from characters.profiles.models import Draft

State = Literal["", "added", "changed", "removed"]
UNREGISTERED = values.Predicate("")


@dataclass(frozen=True, slots=True)
class Row:
    """A fact of the draft, or one that is live and isn't in it any more."""

    fact: Fact
    predicate: values.Predicate
    registered: bool
    sentence: str
    state: State

    @property
    def part(self) -> str:
        """Its part of the sheet."""
        return f"fact:{self.fact.id}"


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under one heading; no heading where the sheet's own order is shown."""

    family: str
    rows: tuple[Row, ...]


def rows(draft: Draft, changes: Changes, registry: Mapping[str, values.Predicate]) -> list[Row]:
    """Every fact in the sheet's order; what is removed comes last."""
    known = states(changes)
    there = [_row(fact, registry, known.get(fact.id, "")) for fact in draft.sheet.facts]
    return there + [_row(fact, registry, "removed") for fact in changes.removed]


def states(changes: Changes) -> dict[str, State]:
    """By fact, whether it is new to what is live or another one than there."""
    added: dict[str, State] = {fact.id: "added" for fact in changes.added}
    return added | {changed.after.id: "changed" for changed in changes.changed}


def _row(fact: Fact, registry: Mapping[str, values.Predicate], state: State) -> Row:
    predicate = registry.get(fact.predicate)
    sentence = turn_facts.sentence(fact, predicate) if fact.object.strip() else ""
    return Row(fact, predicate or UNREGISTERED, predicate is not None, sentence, state)


def matching(listed: Iterable[Row], text: str) -> Iterator[Row]:
    """Rows that hold every word of `text`, in predicate, object, family or questions."""
    words = text.casefold().split()
    for row in listed:
        fact = row.fact
        searched = " ".join((fact.predicate, fact.object, row.predicate.family, *fact.questions)).casefold()
        if all(word in searched for word in words):
            yield row


def by_family(listed: Iterable[Row]) -> list[Group]:
    """Rows by the family of their predicate, families in the order of their first fact."""
    families: dict[str, list[Row]] = {}
    for row in listed:
        families.setdefault(row.predicate.family, []).append(row)
    return [Group(family, tuple(each)) for family, each in families.items()]
