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
    found = [_row(fact, registry, known.get(fact.id, "")) for fact in draft.sheet.facts]
    return found + [_row(fact, registry, "removed") for fact in changes.removed]


def states(changes: Changes) -> dict[str, State]:
    """By fact, whether it is new to what is live or another one than there."""
    found: dict[str, State] = {fact.id: "added" for fact in changes.added}
    return found | {changed.after.id: "changed" for changed in changes.changed}


def _row(fact: Fact, registry: Mapping[str, values.Predicate], state: State) -> Row:
    predicate = registry.get(fact.predicate)
    sentence = turn_facts.sentence(fact, predicate) if fact.object.strip() else ""
    return Row(fact, predicate or UNREGISTERED, predicate is not None, sentence, state)


def matching(found: Iterable[Row], text: str) -> Iterator[Row]:
    """Rows that hold every word of `text`, in predicate, object, family or questions."""
    words = text.casefold().split()
    for row in found:
        fact = row.fact
        told = " ".join((fact.predicate, fact.object, row.predicate.family, *fact.questions)).casefold()
        if all(word in told for word in words):
            yield row


def by_family(found: Iterable[Row]) -> list[Group]:
    """Rows by the family of their predicate, families in the order of their first fact."""
    families: dict[str, list[Row]] = {}
    for row in found:
        families.setdefault(row.predicate.family, []).append(row)
    return [Group(family, tuple(each)) for family, each in families.items()]


def put_back(ids: list[str], fact_id: str, order: list[str]) -> list[str]:
    """The order with a fact that was taken out, behind the nearest one that stood before it in `order`."""
    before = [each for each in order[: order.index(fact_id)] if each in ids]
    place = ids.index(before[-1]) + 1 if before else 0
    return [*ids[:place], fact_id, *ids[place:]]


def moved(ids: list[str], fact_id: str, beside: str, *, up: bool) -> list[str]:
    """The order in which a fact stands just above, or below, another one."""
    rest = [each for each in ids if each != fact_id]
    place = rest.index(beside) + (0 if up else 1)
    return [*rest[:place], fact_id, *rest[place:]]
