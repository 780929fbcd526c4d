"""The facts that the background stage searches: from the graph, or, said so, from the document."""

from collections import Counter, OrderedDict
from threading import Lock

from characters.profiles import projection, vectors
from characters.profiles.models import Revision
from characters.turn.fact_index import FactIndex, build_index
from characters.turn.request import Snapshot, TurnRequest
from characters.turn.sheet import Fact
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

MAX_KEPT = 64
_INDEXES: OrderedDict[tuple[str, int, str, int], FactIndex] = OrderedDict()
_LOCK = Lock()


def read(request: TurnRequest) -> Snapshot:
    """The facts of the request's sheet. Whether the graph holds that revision is asked every turn (one small read)."""
    if request.revision is None:
        return Snapshot(_document_index(request), "document", "this sheet isn't published")
    try:
        node = next(iter(wiring.graph().read(projection.NODE, character=request.character)), None)
        if not node or (node["revision"], node["facts"]) != (request.revision, len(request.sheet.facts)):
            return Snapshot(_document_index(request), "document", "the graph doesn't have this revision yet")
        index = _kept(request, "graph") or _graph_index(request)
    except StoreError as error:  # the stage has a second source, and says that it uses it
        return Snapshot(_document_index(request), "document", error.message)
    if index is None:
        return Snapshot(_document_index(request), "document", "the graph says otherwise; manage.py drift shows where")
    return Snapshot(index, "graph")


def warm() -> None:
    """Let the graph plan the snapshot's statements before the first turn."""
    wiring.graph().warm([(cypher, {"character": "nobody"}) for cypher in (projection.NODE, projection.FACTS)])


def _graph_index(request: TurnRequest) -> FactIndex | None:
    """The facts as the graph has them, in the sheet's order; None where they aren't the sheet's."""
    rows = wiring.graph().read(projection.FACTS, character=request.character)
    there = Counter((row["id"], row["predicate"], row["object"]) for row in rows)
    facts = request.sheet.facts
    if there != Counter((projection.fact_id(request.character, f), f.predicate, f.object) for f in facts):
        return None
    return _index(request, "graph", list(facts))


def _document_index(request: TurnRequest) -> FactIndex:
    return _kept(request, "document") or _index(request, "document", list(request.sheet.facts))


def _key(request: TurnRequest, source: str) -> tuple[str, int, str, int]:
    return request.character, request.revision or 0, source, hash(request.sheet)


def _kept(request: TurnRequest, source: str) -> FactIndex | None:
    with _LOCK:
        index = _INDEXES.get(_key(request, source))
        if index:
            _INDEXES.move_to_end(_key(request, source))
    return index


def _index(request: TurnRequest, source: str, facts: list[Fact]) -> FactIndex:
    index = build_index(facts, request.predicates, request.sheet.concepts, _vectors(request))
    if not index.missing:  # vectors that are still being made are looked for again in the next turn
        with _LOCK:
            _INDEXES[_key(request, source)] = index
            while len(_INDEXES) > MAX_KEPT:
                _INDEXES.popitem(last=False)
    return index


def _vectors(request: TurnRequest) -> vectors.TextVectors:
    revision = Revision.objects.filter(
        character_id=request.character.partition(":")[2], number=request.revision or 0
    ).first()
    return {**vectors.read_before(revision), **vectors.read(revision)} if revision else {}
