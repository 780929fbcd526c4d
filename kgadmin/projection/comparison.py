"""Compare the database with a store: counts, hashes, and ids that differ."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kgadmin.stores.values import VectorRow

NAMED = 5
"""Ids of each kind of difference that are named."""

Thing = tuple[str, Mapping[str, Any]]
"""(id, properties)"""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between a projection and the database."""

    owner: str
    what: str
    expected: str
    stored: str


@dataclass(frozen=True, slots=True)
class Digest:
    """The number of things, and a hash of all of them that doesn't depend on their order."""

    count: int = 0
    total: int = 0

    @property
    def hash(self) -> str:
        """Return eight hexadecimal digits, to be compared by eye."""
        return f"{self.total % 2**64:016x}"[:8]

    def __add__(self, other: "Digest") -> "Digest":
        return Digest(self.count + other.count, (self.total + other.total) % 2**64)

    @classmethod
    def of(cls, things: Iterable[object]) -> "Digest":
        """Return the digest of things by their text."""
        hashes = [int.from_bytes(hashlib.sha256(repr(each).encode()).digest()[:8]) for each in things]
        return cls(len(hashes), sum(hashes) % 2**64)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Digests of one kind of thing in the database and in a store, with their differences."""

    kind: str
    expected: Digest = Digest()
    stored: Digest = Digest()
    differences: Sequence[Difference] = ()


def compare_things(owner: str, kind: str, expected: Iterable[Thing], stored: Iterable[Thing]) -> Comparison:
    """Compare the things of one owner. A duplicate in the store counts as a difference."""
    wanted, there = _canonical(expected), _canonical(stored)
    differences = [] if wanted == there else [_difference(owner, kind, wanted, there)]
    return Comparison(kind, Digest.of(wanted.elements()), Digest.of(there.elements()), differences)


def vector_thing(row: VectorRow, expected: bytes) -> Thing:
    """Return a collection's row with the digest of its vector, or of the `expected` bytes if only rounding differs."""
    stored, known = np.asarray(row.vector, dtype=np.float32), np.frombuffer(expected, dtype=np.float32)
    same = stored.shape == known.shape and np.allclose(stored, known, atol=1e-5)
    digest = hashlib.sha256(expected if same else stored.tobytes()).hexdigest()
    return row.id, {"vector": digest}


def joined(comparisons: Iterable[Comparison]) -> list[Comparison]:
    """Return one comparison per kind, over all owners, in the order of the kinds' first appearance."""
    kinds: dict[str, Comparison] = {}
    for part in comparisons:
        so_far = kinds.get(part.kind, Comparison(part.kind))
        kinds[part.kind] = Comparison(
            part.kind,
            so_far.expected + part.expected,
            so_far.stored + part.stored,
            [*so_far.differences, *part.differences],
        )
    return list(kinds.values())


def table(store: str, comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Yield a line with counts and hashes for each kind that has things."""
    for comparison in comparisons:
        sides = comparison.expected, comparison.stored
        if any(side.count for side in sides):
            expected, stored = (f"{side.count:>9} {side.hash}" for side in sides)
            sign = "=" if sides[0] == sides[1] else "!"
            yield f"{comparison.kind:<26}database{expected}  {sign}  {store}{stored}"


def _canonical(things: Iterable[Thing]) -> Counter[tuple[str, str]]:
    """Return things as sorted JSON, without nulls, and with numbers as floats: some engines return 1 for 1.0."""
    return Counter(
        (id_, json.dumps({name: _plain(value) for name, value in row.items() if value is not None}, sort_keys=True))
        for id_, row in things
    )


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, int | float) else value


def _difference(owner: str, kind: str, wanted: Counter[tuple[str, str]], there: Counter[tuple[str, str]]) -> Difference:
    missing = Counter(id_ for id_, _ in (wanted - there).elements())
    extra = Counter(id_ for id_, _ in (there - wanted).elements())
    changed = missing & extra
    sorts = {"missing": missing - changed, "that should not be there": extra - changed, "otherwise": changed}
    parts = []
    for what, ids in sorts.items():
        if ids:
            more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
            parts.append(f"{ids.total()} {what} ({' '.join(sorted(ids)[:NAMED])}{more})")
    return Difference(owner, kind, str(wanted.total()), f"{there.total()}: {', '.join(parts)}")
