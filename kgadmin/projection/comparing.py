"""Comparing what the database says with what a store holds: counts, hashes, and which ids differ."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kgadmin.stores.vectors import VectorRow

NAMED = 5
"""Ids that a difference names of each sort."""

Thing = tuple[str, Mapping[str, Any]]
"""(id, properties)"""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that a projection holds otherwise than the database."""

    owner: str
    what: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Digest:
    """How many things there are, and a hash of all of them that doesn't depend on their order."""

    count: int = 0
    total: int = 0

    @property
    def hash(self) -> str:
        """Eight digits, to be compared by eye."""
        return f"{self.total % 2**64:016x}"[:8]

    def __add__(self, other: "Digest") -> "Digest":
        return Digest(self.count + other.count, (self.total + other.total) % 2**64)

    @classmethod
    def of(cls, things: Iterable[object]) -> "Digest":
        """Of things by their text."""
        hashes = [int.from_bytes(hashlib.sha256(repr(each).encode()).digest()[:8]) for each in things]
        return cls(len(hashes), sum(hashes) % 2**64)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One kind of thing in the database and in a store."""

    kind: str
    expected: Digest
    found: Digest
    differences: Sequence[Difference] = ()


def compare_things(owner: str, kind: str, expected: Iterable[Thing], found: Iterable[Thing]) -> Comparison:
    """The things of one owner. A thing that is there twice is as wrong as one that is missing."""
    wanted, there = _canonical(expected), _canonical(found)
    differences = [] if wanted == there else [_difference(owner, kind, wanted, there)]
    return Comparison(kind, Digest.of(wanted.elements()), Digest.of(there.elements()), differences)


def vector_thing(row: VectorRow, kept: bytes) -> Thing:
    """A row of a collection; `kept` is the vector on the database's row (float32).

    A server that normalises gives back nearly the vector that it was given: that counts as the same one.
    """
    found, known = np.asarray(row.vector, dtype=np.float32), np.frombuffer(kept, dtype=np.float32)
    same = found.shape == known.shape and np.allclose(found, known, atol=1e-5)
    digest = hashlib.sha256(kept if same else found.tobytes()).hexdigest()
    return row.id, {"owner": row.owner, "vector": digest}


def joined(comparisons: Iterable[Comparison]) -> list[Comparison]:
    """One comparison per kind, those of all owners together; in the order in which the kinds came."""
    kinds: dict[str, list[Comparison]] = defaultdict(list)
    for each in comparisons:
        kinds[each.kind].append(each)
    return [
        Comparison(
            kind,
            sum((each.expected for each in parts), Digest()),
            sum((each.found for each in parts), Digest()),
            [difference for each in parts for difference in each.differences],
        )
        for kind, parts in kinds.items()
    ]


def table(store: str, comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Lines with the counts and hashes of each kind of which there is anything."""
    for each in comparisons:
        if each.expected.count or each.found.count:
            sign = "=" if each.expected == each.found else "!"
            expected, found = (f"{side.count:>9} {side.hash}" for side in (each.expected, each.found))
            yield f"{each.kind:<26}database{expected}  {sign}  {store}{found}"


def _canonical(things: Iterable[Thing]) -> Counter[tuple[str, str]]:
    """Numbers as floats: one engine gives 1 back where the other gives 1.0."""
    return Counter((id_, json.dumps(_plain(properties), sort_keys=True)) for id_, properties in things)


def _plain(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: float(value) if isinstance(value, int | float) else value
        for name, value in properties.items()
        if value is not None
    }


def _difference(owner: str, kind: str, wanted: Counter[tuple[str, str]], there: Counter[tuple[str, str]]) -> Difference:
    missing = Counter(id_ for id_, _ in (wanted - there).elements())
    extra = Counter(id_ for id_, _ in (there - wanted).elements())
    changed = missing & extra
    parts = [
        _named("missing", missing - changed),
        _named("that should not be there", extra - changed),
        _named("otherwise", changed),
    ]
    found = f"{there.total()}: {', '.join(filter(None, parts))}"
    return Difference(owner, kind, str(wanted.total()), found)


def _named(what: str, ids: Counter[str]) -> str:
    if not ids:
        return ""
    names = sorted(ids)
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{ids.total()} {what} ({' '.join(names[:NAMED])}{more})"
