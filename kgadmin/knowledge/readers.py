"""What a turn reads of knowledge: the nearest chunks, chunks by id, their neighbours, word counts. One query each."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_
from typing import Protocol

from django.db.models import Max, OuterRef, Q, QuerySet, Subquery

from kgadmin.knowledge.models import Chunk, WordCounts
from kgadmin.stores import wiring
from kgadmin.stores.cache import Cache
from kgadmin.stores.embedder import Vectors
from kgadmin.stores.vectors import Match

POOL_THREADS = 8
"""Ten collections took 56 ms one after the other and 39 in a pool of 8 (2 cores)."""


class Base(Protocol):
    """A knowledge base as far as a reader needs it."""

    @property
    def slug(self) -> str: ...

    @property
    def collection(self) -> str: ...

    @property
    def version(self) -> int: ...


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk with where it stands: `base` is a slug, `index` counts from 0 to `last_index` in its document."""

    id: str
    base: str
    document: str
    heading: str
    index: int
    last_index: int
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Counted:
    """How often each stem stands in a base, how many words it has in all, and how near idle messages come to it."""

    counts: Mapping[str, int]
    total: int
    idle: Sequence[Sequence[float]] = ()


def query_bases(bases: Sequence[Base], vectors: Vectors, limit: int) -> dict[str, list[list[Match]]]:
    """By slug, per row of `vectors` (n, dimensions): the nearest `limit` chunks, best first. Raises `StoreError`."""
    if len(bases) < 2:
        return {base.slug: wiring.vectors().query(base.collection, vectors, limit) for base in bases}
    index = wiring.vectors()
    asked = [_pool().submit(index.query, base.collection, vectors, limit) for base in bases]
    return {base.slug: answer.result() for base, answer in zip(bases, asked, strict=True)}


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(POOL_THREADS, thread_name_prefix="bases")


def chunks_by_id(ids: Iterable[str]) -> dict[str, ChunkRow]:
    """By id, those that still exist."""
    return _rows(Chunk.objects.filter(pk__in=[int(pk) for pk in ids if pk.isdecimal()]))


def neighbours(ids: Iterable[str], distance: int = 1) -> dict[str, ChunkRow]:
    """By id, the chunks at most `distance` before or after these in their documents, without these themselves."""
    middles = Chunk.objects.filter(pk__in=[int(pk) for pk in ids if pk.isdecimal()])
    places = list(middles.values_list("pk", "document_id", "index"))
    if not places:
        return {}
    around = (
        Q(document_id=document, index__gte=index - distance, index__lte=index + distance)
        for _, document, index in places
    )
    return _rows(Chunk.objects.filter(reduce(or_, around)).exclude(pk__in=[pk for pk, _, _ in places]))


def _rows(chunks: QuerySet[Chunk]) -> dict[str, ChunkRow]:
    """Plain values: a turn reads some hundred chunks, and making models of them took longer than finding them."""
    last = Chunk.objects.filter(document=OuterRef("document")).order_by().values("document")
    found = chunks.annotate(last=Subquery(last.annotate(last=Max("index")).values("last"))).values_list(
        "pk", "base__slug", "document__name", "heading", "index", "last", "text", "tokens"
    )
    return {str(pk): ChunkRow(str(pk), *values) for pk, *values in found}


_COUNTED: Cache[str, Counted] = Cache(200_000_000)
COUNT_BYTES = 100


def word_counts(bases: Sequence[Base]) -> dict[str, Counted]:
    """Word counts by slug; those of a version that was seen before aren't read again."""
    found = {base.slug: _COUNTED.get(base.slug, base.version) for base in bases}
    old = [slug for slug, counted in found.items() if counted is None]
    rows = WordCounts.objects.filter(base__slug__in=old).select_related("base") if old else []
    for row in rows:
        counted = Counted(row.counts, row.total, tuple(map(tuple, row.idle)))
        size = COUNT_BYTES * (len(row.counts) + sum(map(len, row.idle)))
        found[row.base.slug] = _COUNTED.put(row.base.slug, counted, size, row.base.version)
    return {slug: counted for slug, counted in found.items() if counted}
