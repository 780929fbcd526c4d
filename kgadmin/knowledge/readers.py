"""Reads of the knowledge bases for a turn."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
from django.db.models import F
from numpy.typing import NDArray

from characters.domain.topics import IDLE, TALK
from characters.domain.words import stems
from characters.turn import calibration as calibrating
from characters.turn.calibration import Calibration, Tops
from characters.turn.request import Base, Nearest, Place
from characters.turn.request import Chunk as TurnChunk
from kgadmin.knowledge import base_index
from kgadmin.knowledge.models import Chunk, WordCounts
from kgadmin.stores import wiring
from kgadmin.stores.cache import Cache
from kgadmin.stores.embedder import Vectors
from kgadmin.stores.errors import StoreError

POOL_THREADS = 8
"""Ten collections took 56 ms one after the other and 39 in a pool of 8 (2 cores)."""


def nearest(bases: Sequence[Base], vectors: Vectors, limit: int) -> Nearest:
    """Return the nearest `limit` chunks of each base for each row of `vectors`: from its index file, or else from the
    vector store. A base with another model's vectors has none until it is embedded again. One that fails costs only
    itself; raises `StoreError` if all fail.
    """
    embedder = wiring.embedder().id

    def ask(base: Base) -> list[list[tuple[str, float]]] | StoreError:
        if base.embedder not in {"", embedder}:
            return [[] for _ in vectors]
        if index := base_index.read(base):
            return index.nearest(vectors, limit)
        from_store.append(base.slug)
        try:
            answer = wiring.vectors().query(base.collection, vectors, limit)
        except StoreError as error:
            return error
        return [[(match.id, match.similarity) for match in matches] for matches in answer]

    from_store: list[str] = []
    answers = list(map(ask, bases) if len(bases) < 2 else _pool().map(ask, bases))
    errors = [answer for answer in answers if isinstance(answer, StoreError)]
    if errors and len(errors) == len(bases):
        raise errors[0]
    named = list(zip([base.slug for base in bases], answers, strict=True))
    failed = {slug: answer.message for slug, answer in named if isinstance(answer, StoreError)}
    matches = {slug: answer for slug, answer in named if not isinstance(answer, StoreError)}
    return Nearest(matches, tuple(sorted(set(from_store) - set(failed))), failed)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(POOL_THREADS, thread_name_prefix="bases")


def places(ids: Iterable[str]) -> dict[str, Place]:
    """Return where the chunks that still exist stand, by id."""
    rows = Chunk.objects.filter(pk__in=_keys(ids)).values_list("pk", "document__name", "heading", "index")
    return {str(pk): Place(document, heading, index) for pk, document, heading, index in rows}


def chunks(ids: Iterable[str]) -> dict[str, TurnChunk]:
    """Return the chunks that still exist, and those adjacent to them in their documents, by id."""
    keys = _keys(ids)
    if not keys:
        return {}
    middle = "document__chunks__"
    around = Chunk.objects.filter(
        **{f"{middle}pk__in": keys, f"{middle}index__gte": F("index") - 1, f"{middle}index__lte": F("index") + 1}
    )
    # From plain values: building some hundred model instances took longer than the query.
    fields = ("pk", "base__slug", "document__name", "heading", "index", "text", "tokens", "place")
    return {str(row[0]): TurnChunk(str(row[0]), *row[1:]) for row in around.values_list(*fields).distinct()}


def _keys(ids: Iterable[str]) -> list[int]:
    return [int(pk) for pk in ids if pk.isdecimal()]


_COUNTED: Cache[str, WordCounts] = Cache("Word counts of bases", 50_000_000)
"""Counts of bases without an index file, as the database has them."""
COUNT_BYTES = 100


def _counted(bases: Sequence[Base]) -> dict[str, WordCounts]:
    counted = {base.slug: _COUNTED.get(base.slug, (base.key, base.version)) for base in bases}
    old = {base.slug: (base.key, base.version) for base in bases if counted[base.slug] is None}
    for row in WordCounts.objects.filter(base__slug__in=old).select_related("base") if old else ():
        size = COUNT_BYTES * (len(row.counts) + sum(map(len, row.idle)))
        counted[row.base.slug] = _COUNTED.put(row.base.slug, row, size, old[row.base.slug])
    return {slug: row for slug, row in counted.items() if row}


def _indexes(bases: Sequence[Base]) -> tuple[dict[str, base_index.BaseIndex], dict[str, WordCounts]]:
    """Return the open indexes by slug, and the rows of the counted bases that have none."""
    indexes = {base.slug: index for base in bases if (index := base_index.read(base))}
    return indexes, _counted([base for base in bases if base.slug not in indexes])


def word_counts(bases: Sequence[Base], asked: Collection[str]) -> Mapping[str, calibrating.WordCounts]:
    """Return how often each of the stems `asked` occurs in each counted base, by slug."""
    indexes, rows = _indexes(bases)
    counts = {slug: calibrating.WordCounts(index.counts(asked), index.total) for slug, index in indexes.items()}
    of_rows = {slug: {stem: row.counts[stem] for stem in asked if stem in row.counts} for slug, row in rows.items()}
    return counts | {slug: calibrating.WordCounts(of_rows[slug], row.total) for slug, row in rows.items()}


_CALIBRATED: Cache[tuple[tuple[str, int, int], ...], Calibration] = Cache("Calibrations of bases", 1_000_000)
"""Calibrations by slug, key and version of the bases in scope: making one takes some milliseconds."""
BASE_BYTES = 500


def calibration(bases: Sequence[Base]) -> Calibration:
    """Return how similar idle messages are to these bases, and so how strong a match must be to count."""
    key = tuple((base.slug, base.key, base.version) for base in bases)
    if cached := _CALIBRATED.get(key):
        return cached
    asked = {stem for text in IDLE for stem in stems(text)}
    made = calibrating.calibrate(_idle(bases), word_counts(bases, asked), _idle_likeness(wiring.embedder().id))
    return _CALIBRATED.put(key, made, BASE_BYTES * (1 + len(key)))


def talk() -> Vectors:
    """Return the vectors of `topics.TALK`, with which the idle messages begin."""
    return idle_vectors(wiring.embedder().id)[: len(TALK)]


@cache
def _idle_likeness(embedder: str) -> NDArray[np.float32]:
    return calibrating.idle_likeness(idle_vectors(embedder))


@cache
def idle_vectors(embedder: str) -> Vectors:
    """Return the vectors of `topics.IDLE`, of the embedder with this id, which is the present one."""
    return wiring.embedder().embed(IDLE)


def _idle(bases: Sequence[Base]) -> dict[str, Tops]:
    indexes, rows = _indexes(bases)
    return {slug: index.idle for slug, index in indexes.items()} | {slug: row.idle for slug, row in rows.items()}
