"""The facts that the background stage searches: from the graph, or, said so, from the document.

Read once per revision and kept: a revision never changes, and a new one has another key, in every process. What came
from the document because the graph was behind, down or wrong is looked for in the graph again by the next turn.
"""

from collections import Counter, OrderedDict
from dataclasses import replace
from threading import Lock

from characters.profiles import projection, vectors
from characters.profiles.models import Revision
from characters.turn import weights
from characters.turn.fact_index import FactIndex, build_index
from characters.turn.request import Snapshot, TurnRequest
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

MAX_KEPT = 64
KEPT = "kept since an earlier turn"
_Key = tuple[str, int, str, int, str]
_SNAPSHOTS: OrderedDict[_Key, Snapshot] = OrderedDict()
_LOCK = Lock()


def read(request: TurnRequest) -> Snapshot:
    """The facts of the request's sheet. With a current snapshot of the graph nothing is asked of any engine."""
    if request.revision is None:
        return _document(request, "this sheet isn't published")
    kept = _kept(request, "graph")
    if kept:
        return kept
    try:
        reason = _disagreement(request)
    except StoreError as error:  # the stage has a second source, and says that it uses it
        reason = error.message
    return _document(request, reason) if reason else _made(request, Snapshot(_index(request), "graph"))


def warm() -> None:
    """Let the graph plan the snapshot's statement before the first turn."""
    wiring.graph().warm([(projection.SNAPSHOT, {"character": "nobody"})])


def _disagreement(request: TurnRequest) -> str:
    """Why the graph can't be believed; empty where it says what the sheet says."""
    rows = wiring.graph().read(projection.SNAPSHOT, character=request.character)
    facts = request.sheet.facts
    if not rows or (rows[0]["revision"], rows[0]["facts"]) != (request.revision, len(facts)):
        return "the graph doesn't have this revision yet"
    there = {(row["id"], row["predicate"], row["object"]) for row in rows if row["id"] or row["predicate"]}
    edges = Counter((row["id"], row["relation"]) for row in rows)
    expected = {(projection.fact_id(request.character, fact), fact.predicate, fact.object) for fact in facts}
    relations = {row["id"] for row in projection.related(request.character, request.sheet)}
    found = {row["relation"] for row in rows if row["relation"]}
    if there != expected or found != relations or max(edges.values(), default=0) > 1:
        return "the graph says otherwise; manage.py drift shows where"
    return ""


def _document(request: TurnRequest, reason: str) -> Snapshot:
    kept = _kept(request, "document")
    return replace(kept, reason=reason) if kept else _made(request, Snapshot(_index(request), "document", reason))


def _made(request: TurnRequest, snapshot: Snapshot) -> Snapshot:
    snapshot = replace(snapshot, fits_weights=_embedder() == weights.shipped().embedder)
    if not snapshot.index.missing:  # vectors that are still being made are looked for again in the next turn
        with _LOCK:
            _SNAPSHOTS[_key(request, snapshot.source)] = snapshot
            while len(_SNAPSHOTS) > MAX_KEPT:
                _SNAPSHOTS.popitem(last=False)
    return snapshot


def _kept(request: TurnRequest, source: str) -> Snapshot | None:
    key = _key(request, source)
    with _LOCK:
        snapshot = _SNAPSHOTS.get(key)
        if snapshot is None:
            return None
        _SNAPSHOTS.move_to_end(key)
    return replace(snapshot, reason=KEPT)


def _key(request: TurnRequest, source: str) -> _Key:
    return request.character, request.revision or 0, source, hash(request.sheet), _embedder()


def _embedder() -> str:
    """Names today's embedder; empty where there is none, and words alone decide."""
    try:
        embedder = wiring.embedder()
        return "" if embedder.state == "down" else embedder.id
    except StoreError:
        return ""


def _index(request: TurnRequest) -> FactIndex:
    sheet = request.sheet
    return build_index(sheet.facts, request.predicates, sheet.concepts, _vectors(request), sheet.name)


def _vectors(request: TurnRequest) -> vectors.TextVectors:
    revision = Revision.objects.filter(
        character_id=request.character.partition(":")[2], number=request.revision or 0
    ).first()
    return {**vectors.read_before(revision), **vectors.read(revision)} if revision else {}
