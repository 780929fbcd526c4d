"""What a turn may look up, filled in from the features' query functions."""

from collections.abc import Mapping, Sequence
from functools import cache

from characters.domain import words
from characters.domain.people import PERSON_PREDICATES
from characters.memory import graph
from characters.memory import readers as memory
from characters.profiles import snapshot
from characters.turn.calibration import Calibration, WordCounts, calibrate
from characters.turn.intent import EXAMPLES
from characters.turn.request import Base, Chunk, IntentKind, Readers, Vectors
from kgadmin.knowledge import readers as knowledge
from kgadmin.stores import wiring
from kgadmin.stores.cache import Cache


def live_readers() -> Readers:
    """Readers on the real engines."""
    return Readers(
        embed=lambda texts: wiring.embedder().embed(texts),
        examples=lambda: _examples(wiring.embedder().id),
        nearest=_nearest,
        word_counts=_word_counts,
        calibration=_calibration,
        chunks=_chunks,
        neighbours=_neighbours,
        background=snapshot.read,
        known=memory.known,
        person_questions=lambda: _person_questions(wiring.embedder().id),
        walk=graph.walk,
        past_messages=memory.said,
        related=memory.related,
        count_tokens=wiring.count_tokens,
    )


def warm_up() -> None:
    """Load what the first turn would otherwise wait for: word lists, vectors of examples and questions, the graph's
    plans."""
    words.is_common("warm")
    words.stem_rarity("warm")
    if wiring.embedder().state != "down":  # where it can't be loaded, each turn says so
        _examples(wiring.embedder().id)
        _person_questions(wiring.embedder().id)
    snapshot.warm()
    graph.warm()


@cache
def _examples(embedder: str) -> Mapping[IntentKind, Vectors]:
    """The vectors of intent's examples, made once per process and embedder."""
    return {kind: wiring.embedder().embed(texts) for kind, texts in EXAMPLES.items()}


@cache
def _person_questions(embedder: str) -> Mapping[str, Vectors]:
    """The vectors of what a person would ask to hear a fact of theirs, by predicate."""
    asked = {name: each.questions for name, each in PERSON_PREDICATES.items() if each.questions}
    return {name: wiring.embedder().embed(questions) for name, questions in asked.items()}


def _nearest(
    bases: Sequence[Base], vectors: Vectors, limit: int
) -> Mapping[str, Sequence[Sequence[tuple[str, float]]]]:
    found = knowledge.query_bases(bases, vectors, limit)
    return {
        slug: [[(match.id, match.similarity) for match in matches] for matches in lists]
        for slug, lists in found.items()
    }


def _word_counts(bases: Sequence[Base]) -> Mapping[str, WordCounts]:
    found = knowledge.word_counts(bases)
    return {slug: WordCounts(row.counts, row.total) for slug, row in found.items()}


_CALIBRATED: Cache[tuple[tuple[str, int, int], ...], Calibration] = Cache(1_000_000)
"""By the bases in scope, their versions and sizes: a calibration takes some milliseconds, and a base changes seldom."""
BASE_BYTES = 500


def _calibration(bases: Sequence[Base]) -> Calibration:
    found = knowledge.word_counts(bases)
    key = tuple((base.slug, base.version, found[base.slug].total) for base in bases if base.slug in found)
    cached = _CALIBRATED.get(key)
    if cached:
        return cached
    made = calibrate({slug: row.idle for slug, row in found.items()}, _word_counts(bases))
    return _CALIBRATED.put(key, made, BASE_BYTES * (1 + len(key)))


def _chunks(ids: Sequence[str]) -> Mapping[str, Chunk]:
    return _as_chunks(knowledge.chunks_by_id(ids))


def _neighbours(ids: Sequence[str]) -> Mapping[str, Chunk]:
    return _as_chunks(knowledge.neighbours(ids))


def _as_chunks(rows: Mapping[str, knowledge.ChunkRow]) -> dict[str, Chunk]:
    return {
        key: Chunk(row.id, row.base, row.document, row.heading, row.index, row.text, row.tokens)
        for key, row in rows.items()
    }
