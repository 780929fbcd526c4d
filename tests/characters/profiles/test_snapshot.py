"""The facts that the background stage searches: from the graph, or, said so, from the document."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from characters.domain.sheet import Sheet
from characters.profiles import services, snapshot
from characters.profiles.models import Character, Predicate, Revision
from characters.profiles.projection import SheetProjector
from characters.turn.fact_index import FactIndex, build_index
from characters.turn.request import Snapshot, TurnRequest
from kgadmin.projection import services as projecting
from kgadmin.stores import wiring
from kgadmin.stores.graph import Graph
from tests.characters.profiles import sheets
from tests.characters.profiles.sheets import FACTS, sheet
from tests.fixtures.engines import HASTY
from tests.servers import GraphServer

IN_TIME_SECONDS = 1.0
"""0.5 s of the graph's own time-out, and what a busy machine takes for the rest."""


@pytest.fixture
def ann(projected: Graph, predicates: None) -> Character:
    """A character whose sheet is in the graph."""
    character = sheets.character()
    assert projecting.sweep() == 1
    return character


def request_for(character: Character, sheet: Sheet | None = None, revision: int | None = None) -> TurnRequest:
    character.refresh_from_db()
    live = character.live_revision
    assert live is not None
    return TurnRequest(
        message="Who are you?",
        character=character.graph_id,
        sheet=sheet or live.sheet,
        revision=None if sheet else revision or live.number,
        person="Somebody",
        now=datetime(2026, 1, 1, tzinfo=UTC),
        predicates=Predicate.objects.registry(),
    )


def read(character: Character) -> Snapshot:
    return snapshot.read(request_for(character))


def facts_of(read: Snapshot) -> list[tuple[str, str]]:
    return [(fact.predicate, fact.object) for fact in read.index.facts]


def test_the_live_sheet_is_read_from_the_graph_in_its_order(ann: Character) -> None:
    bo = sheets.character("bo", *FACTS)
    current = read(ann)
    assert (current.source, current.reason) == ("graph", "")
    assert facts_of(current) == list(FACTS)
    assert current.index.missing == 0
    assert current.index.sentences[1] == "My father built boats in Odense."
    assert read(bo).source == "document"
    projecting.sweep()
    assert read(bo).source == "graph"


def test_what_was_just_published_is_read_from_the_document_until_it_is_projected(ann: Character) -> None:
    services.publish(ann, sheet=sheet(("LIKES", "Rain on a tin roof"), ("LIKES", "fog")), by=None)
    current = read(ann)
    assert (current.source, current.reason) == ("document", "the graph doesn't have this revision yet")
    assert facts_of(current) == [("LIKES", "Rain on a tin roof"), ("LIKES", "fog")]
    assert current.index.missing == 1
    projecting.sweep()
    current = read(ann)
    assert (current.source, current.index.missing) == ("graph", 0)
    assert facts_of(current) == [("LIKES", "Rain on a tin roof"), ("LIKES", "fog")]


def test_a_draft_and_an_older_revision_are_read_from_their_documents(ann: Character) -> None:
    old, draft = request_for(ann), request_for(ann, sheet(("LIKES", "the moon")))
    current = snapshot.read(draft)
    assert (current.source, current.reason) == ("document", "this sheet isn't published")
    assert facts_of(current) == [("LIKES", "the moon")]
    services.publish(ann, sheet=Sheet("Ann", "You are {{char}}."), by=None)
    projecting.sweep()
    assert (snapshot.read(old).source, facts_of(snapshot.read(old))) == ("document", list(FACTS))
    live = read(ann)
    assert (live.source, live.index.facts, live.index.missing) == ("graph", (), 0)


def test_while_vectors_are_missing_a_snapshot_is_kept_until_there_are_more(
    ann: Character, projected: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.publish(ann, sheet=sheet(("LIKES", "fog"), ("LIKES", "hail")), by=None)
    projecting.sweep()
    revision = Revision.objects.get(character=ann, number=2)
    blob = revision.vectors
    Revision.objects.filter(character=ann).update(vectors=None)
    made: list[FactIndex] = []

    def counting(*args: Any) -> FactIndex:
        made.append(build_index(*args))
        return made[-1]

    monkeypatch.setattr(snapshot, "build_index", counting)
    assert [read(ann).index.missing for _ in range(3)] == [2, 2, 2]
    assert [read(ann).reason, len(made)] == [snapshot.CACHED, 1]
    Revision.objects.filter(pk=revision.pk).update(vectors=blob)
    assert [read(ann).index.missing for _ in range(3)] == [0, 0, 0]
    assert [read(ann).source, len(made)] == ["graph", 2]


UNTRUE = {
    "MATCH ()-[f:FACT {predicate: 'LIKES'}]->() SET f.object = 'Sun'": "otherwise",
    "MATCH ()-[f:FACT {predicate: 'LIKES'}]->() DELETE f": "otherwise",
    "MATCH (c)-[f:FACT {predicate: 'LIKES'}]->(e) "
    "CREATE (c)-[:FACT {predicate: 'HATES', object: 'Sun'}]->(e)": "otherwise",
    "MATCH ()-[r:RELATED_TO]->(k:Concept {name: 'taste'}) DELETE r": "otherwise",
    "MATCH (c:Character) SET c.facts = 3": "behind",
    "MATCH (n) DETACH DELETE n": "behind",
}
"""By Cypher what the graph is then."""
REASONS = {
    "otherwise": "the graph differs; manage.py drift shows where",
    "behind": "the graph doesn't have this revision yet",
}


def test_a_graph_that_says_otherwise_or_lacks_her_is_not_believed(ann: Character, projected: Graph) -> None:
    for cypher, what in UNTRUE.items():
        projected.write(cypher)
        current = read(ann)
        assert (current.source, current.reason, facts_of(current)) == ("document", REASONS[what], list(FACTS)), cypher
        SheetProjector().note_all("graph")
        projecting.sweep()
        snapshot._SNAPSHOTS.clear()
        assert read(ann).source == "graph", cypher
        snapshot._SNAPSHOTS.clear()


def test_a_hung_graph_is_not_waited_for_and_read_again_once_it_answers(
    ann: Character, wire: Callable[..., None], graph_server: GraphServer
) -> None:
    wire(graph_server, **HASTY)
    wiring.graph().ping()
    request = request_for(ann)
    graph_server.pause()
    began = time.perf_counter()
    current = snapshot.read(request)
    assert time.perf_counter() - began < IN_TIME_SECONDS
    assert (current.source, current.reason[:12], facts_of(current)) == ("document", "The graph at", list(FACTS))
    began = time.perf_counter()
    assert snapshot.read(request).reason.startswith("The graph did not answer a moment ago")
    assert time.perf_counter() - began < 0.2
    graph_server.resume()
    wiring.graph().ping()  # as the health page does; else it is asked again after 5 s
    assert snapshot.read(request).source == "graph"


def test_without_the_graph_what_was_read_before_is_kept_and_the_rest_read_from_the_document(
    ann: Character, wire: Callable[..., None], graph_server: GraphServer
) -> None:
    wire(graph_server, **HASTY)
    assert read(ann).source == "graph"
    request = request_for(ann)
    graph_server.kill()
    cached = snapshot.read(request)
    assert (cached.source, cached.reason, facts_of(cached)) == ("graph", snapshot.CACHED, list(FACTS))
    snapshot._SNAPSHOTS.clear()
    began = time.perf_counter()
    current = snapshot.read(request)
    assert time.perf_counter() - began < IN_TIME_SECONDS
    assert (current.source, current.reason[:14], facts_of(current)) == ("document", "The graph does", list(FACTS))
