"""Reads of the knowledge bases: for a turn (one query each), and for a base's search page."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_

from django.db.models import Q, QuerySet

from characters.turn import calibration as calibrating
from characters.turn.calibration import Calibration
from characters.turn.request import Base
from characters.turn.request import Chunk as TurnChunk
from kgadmin.knowledge.models import Chunk, KnowledgeBase, WordCounts
from kgadmin.stores import wiring
from kgadmin.stores.cache import Cache
from kgadmin.stores.embedder import Vectors

POOL_THREADS = 8
"""Ten collections took 56 ms one after the other and 39 in a pool of 8 (2 cores)."""
SEARCH_LIMIT = 12


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk near a question; `similarity` is the cosine."""

    chunk: Chunk
    similarity: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The nearest chunks, best first, on either side of the base's threshold."""

    hits: list[Hit]
    below: list[Hit]


def search(base: KnowledgeBase, question: str) -> SearchResult:
    """Return the nearest chunks of the base. Raises `StoreError`."""
    vectors = wiring.embedder().embed([question])
    matches = wiring.vectors().query(base.collection, vectors, SEARCH_LIMIT)[0]
    chunks = base.chunks.select_related("document").defer("vector", "document__content")
    by_id = {str(chunk.pk): chunk for chunk in chunks.filter(pk__in=[int(match.id) for match in matches])}
    hits = [Hit(by_id[match.id], match.similarity) for match in matches if match.id in by_id]
    return SearchResult(
        hits=[hit for hit in hits if hit.similarity >= base.threshold],
        below=[hit for hit in hits if hit.similarity < base.threshold],
    )


def nearest(bases: Sequence[Base], vectors: Vectors, limit: int) -> dict[str, list[list[tuple[str, float]]]]:
    """Return by slug, for each row of `vectors`, the nearest `limit` chunks as (id, cosine), best first. Raises
    `StoreError`.
    """
    index = wiring.vectors()
    ask = map if len(bases) < 2 else _pool().map
    answers = list(ask(lambda base: index.query(base.collection, vectors, limit), bases))
    return {
        base.slug: [[(match.id, match.similarity) for match in matches] for matches in answer]
        for base, answer in zip(bases, answers, strict=True)
    }


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(POOL_THREADS, thread_name_prefix="bases")


def chunks(ids: Iterable[str]) -> dict[str, TurnChunk]:
    """Return the chunks that still exist, by id."""
    return _rows(Chunk.objects.filter(pk__in=[int(pk) for pk in ids if pk.isdecimal()]))


def neighbours(ids: Iterable[str]) -> dict[str, TurnChunk]:
    """Return the chunks adjacent to these in their documents, by id, without these themselves."""
    middles = Chunk.objects.filter(pk__in=[int(pk) for pk in ids if pk.isdecimal()])
    places = list(middles.values_list("pk", "document_id", "index"))
    if not places:
        return {}
    around = (Q(document_id=document, index__in=[index - 1, index + 1]) for _, document, index in places)
    return _rows(Chunk.objects.filter(reduce(or_, around)).exclude(pk__in=[pk for pk, _, _ in places]))


def _rows(chunks: QuerySet[Chunk]) -> dict[str, TurnChunk]:
    """Return chunks by id. From plain values: building some hundred model instances took longer than the query."""
    rows = chunks.values_list("pk", "base__slug", "document__name", "heading", "index", "text")
    return {str(row[0]): TurnChunk(str(row[0]), *row[1:]) for row in rows}


_COUNTED: Cache[str, WordCounts] = Cache(200_000_000)
COUNT_BYTES = 100


def _counted(bases: Sequence[Base]) -> dict[str, WordCounts]:
    counted = {base.slug: _COUNTED.get(base.slug, base.version) for base in bases}
    old = [slug for slug, row in counted.items() if row is None]
    for row in WordCounts.objects.filter(base__slug__in=old).select_related("base") if old else ():
        size = COUNT_BYTES * (len(row.counts) + sum(map(len, row.idle)))
        counted[row.base.slug] = _COUNTED.put(row.base.slug, row, size, row.base.version)
    return {slug: row for slug, row in counted.items() if row}


def word_counts(bases: Sequence[Base]) -> Mapping[str, calibrating.WordCounts]:
    """Return how often each stem occurs in each counted base, by slug."""
    return {slug: calibrating.WordCounts(row.counts, row.total) for slug, row in _counted(bases).items()}


_CALIBRATED: Cache[tuple[tuple[str, int, int], ...], Calibration] = Cache(1_000_000)
"""Calibrations by slug, version and size of the bases in scope: making one takes some milliseconds."""
BASE_BYTES = 500


def calibration(bases: Sequence[Base]) -> Calibration:
    """Return how similar idle messages are to these bases, and so how strong a match must be to count."""
    counted = _counted(bases)
    key = tuple((base.slug, base.version, counted[base.slug].total) for base in bases if base.slug in counted)
    if cached := _CALIBRATED.get(key):
        return cached
    made = calibrating.calibrate({slug: row.idle for slug, row in counted.items()}, word_counts(bases))
    return _CALIBRATED.put(key, made, BASE_BYTES * (1 + len(key)))
