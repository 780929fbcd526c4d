"""The facts that the background stage searches: from the graph, or from the document, with the reason.

A snapshot is cached per revision, which never changes. If the graph was behind, down or wrong, the document is used and
the next turn tries the graph again. A snapshot that lacks vectors is cached too, and replaced once more are made.
"""

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from typing import Any, Literal

from characters.domain.sheet import Sheet, learned_pk
from characters.profiles import projection, vectors
from characters.profiles.models import LearnedFact, Revision
from characters.turn import weights
from characters.turn.fact_index import FACT_BYTES, Related, build_index
from characters.turn.request import Snapshot, TurnRequest
from kgadmin.stores import wiring
from kgadmin.stores.cache import Cache
from kgadmin.stores.errors import StoreError

CACHE_BYTES = 100_000_000
"""Cache size: 20,000 facts."""
CACHED = "cached since an earlier turn"
Source = Literal["graph", "document"]


_SNAPSHOTS: Cache[Hashable, tuple[Snapshot, vectors.Version]] = Cache("Characters' facts", CACHE_BYTES)
"""Snapshots with the version of their vectors, which shows whether missing ones were made."""


def read(request: TurnRequest) -> Snapshot:
    """Return the facts of the request's sheet. A cached graph snapshot needs no engine."""
    if request.revision is None:
        return _document(request, "this sheet isn't published")
    cached = _cached(request, "graph")
    if cached:
        return cached
    try:
        rows = wiring.graph().read(projection.SNAPSHOT, character=request.character)
        reason = _disagreement(request, rows)
    except StoreError as error:  # the document is the second source; the stage shows why it is used
        return _document(request, error.message)
    return _document(request, reason) if reason else _made(request, "graph", related=_related(request, rows))


def warm() -> None:
    """Let the graph plan the snapshot's statement before the first turn."""
    wiring.graph().warm([(projection.SNAPSHOT, {"character": "nobody"})])


def _disagreement(request: TurnRequest, rows: list[dict[str, Any]]) -> str:
    """Return why the graph can't be trusted; empty if it agrees with the sheet (more concepts are fine)."""
    facts = request.facts
    if not rows or (rows[0]["revision"], rows[0]["facts"]) != (request.revision, len(facts)):
        return "the graph doesn't have this revision yet"
    there = {(row["id"], row["predicate"], row["object"]) for row in rows if row["id"] or row["predicate"]}
    edges = Counter((row["id"], row["relation"]) for row in rows)
    expected = {(projection.fact_id(request.character, fact), fact.predicate, fact.object) for fact in facts}
    relations = {row["id"] for row in projection.related(request.character, request.sheet)}
    stored = {row["relation"] for row in rows if row["relation"]}
    if there != expected or not relations <= stored or max(edges.values(), default=0) > 1:
        return "the graph differs; manage.py drift shows where"
    return ""


def _related(request: TurnRequest, rows: list[dict[str, Any]]) -> Related:
    """Return the concepts that the graph's RELATED_TO leads to, by fact."""
    named: dict[str, set[str]] = {}
    for row in rows:
        if row["concept"]:
            named.setdefault(row["id"], set()).add(row["concept"])
    return {fact.id: named.get(projection.fact_id(request.character, fact), ()) for fact in request.facts}


def _document(request: TurnRequest, reason: str) -> Snapshot:
    cached = _cached(request, "document")
    return replace(cached, reason=reason) if cached else _made(request, "document", reason)


def _made(request: TurnRequest, source: Source, reason: str = "", related: Related | None = None) -> Snapshot:
    version = _version(request)  # before the vectors: the next turn then finds vectors made in between
    made = with_facts(request, vectors_of(request), related)
    snapshot = replace(made, source=source, reason=reason)
    size = FACT_BYTES * (len(snapshot.full.facts) + 1)
    return _SNAPSHOTS.put(_key(request, source), (snapshot, version), size)[0]


def with_facts(request: TurnRequest, known: vectors.TextVectors, related: Related | None = None) -> Snapshot:
    """Return indexes of the sheet's facts, without and with learned ones; `known` has vectors by text."""
    sheet, named = request.sheet, request.predicates
    fits = _embedder() == weights.shipped().embedder
    index = build_index(sheet.facts, named, sheet.concepts, known, sheet.name, related)
    if not request.learned:
        return Snapshot(index, "document", fits_weights=fits)
    with_learned = build_index(request.facts, named, sheet.concepts, known, sheet.name, related)
    return Snapshot(index, "document", fits_weights=fits, with_learned=with_learned)


def _cached(request: TurnRequest, source: Source) -> Snapshot | None:
    snapshot, version = _SNAPSHOTS.get(_key(request, source)) or (None, None)
    if snapshot is None or (snapshot.full.missing and version != _version(request)):
        return None
    return replace(snapshot, reason=CACHED)


def _key(request: TurnRequest, source: Source) -> Hashable:
    sheet = _mark(request.sheet, request.revision)
    return request.character, source, request.revision or 0, sheet, request.learned, _embedder()


def _mark(sheet: Sheet, revision: int | None) -> Hashable:
    """Return the identity of a sheet beside its number, in case another database was put in place."""
    if revision is None:
        return hash((sheet.name, sheet.facts, sheet.concepts))
    return sheet.name, len(sheet.facts), sheet.facts[-1:], sheet.concepts


def _embedder() -> str:
    """Return the id of today's embedder; empty if there is none, and only words count."""
    try:
        embedder = wiring.embedder()
        return "" if embedder.state == "down" else embedder.id
    except StoreError:
        return ""


def _version(request: TurnRequest) -> vectors.Version:
    return vectors.version(int(request.character.partition(":")[2]), request.revision)


def vectors_of(request: TurnRequest) -> vectors.TextVectors:
    """Return the vectors of the request's facts by text, as far as they are made."""
    revision = Revision.objects.filter(
        character_id=request.character.partition(":")[2], number=request.revision or 0
    ).first()
    learned = LearnedFact.objects.filter(pk__in=[learned_pk(fact.id) for fact in request.learned])
    of_sheet = {**vectors.read_before(revision), **vectors.read(revision)} if revision else {}
    return of_sheet | vectors.read_learned(learned)
