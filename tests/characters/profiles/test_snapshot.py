"""The facts that the background stage searches: from the graph, or, said so, from the document."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from characters.domain.sheet import Sheet
from characters.profiles import projection, services, snapshot
from characters.profiles.models import Character, Predicate, Revision
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
    found = read(ann)
    assert (found.source, found.reason) == ("graph", "")
    assert facts_of(found) == list(FACTS)
    assert found.index.missing == 0
    assert found.index.sentences[1] == "My father built boats in Odense."


def test_what_was_just_published_is_read_from_the_document_until_it_is_projected(ann: Character) -> None:
    services.publish(ann, sheet=sheet(("LIKES", "Rain on a tin roof"), ("LIKES", "fog")), by=None)
    found = read(ann)
    assert (found.source, found.reason) == ("document", "the graph doesn't have this revision yet")
    assert facts_of(found) == [("LIKES", "Rain on a tin roof"), ("LIKES", "fog")]
    projecting.sweep()
    assert (read(ann).source, facts_of(read(ann))) == ("graph", facts_of(found))


def test_a_text_that_did_not_change_has_its_vector_before_the_projection(ann: Character) -> None:
    services.publish(ann, sheet=sheet(("LIKES", "Rain on a tin roof"), ("LIKES", "fog")), by=None)
    assert read(ann).index.missing == 1
    projecting.sweep()
    assert read(ann).index.missing == 0


def test_vectors_that_come_later_are_found_by_the_next_turn(ann: Character, projected: Graph) -> None:
    services.publish(ann, sheet=sheet(("LIKES", "fog")), by=None)
    assert read(ann).index.missing == 1
    projecting.sweep()
    projected.write("MATCH (c:Character) SET c.revision = 1")  # so that the document is asked again
    found = read(ann)
    assert (found.source, found.index.missing) == ("document", 0)


def test_a_removed_fact_is_gone_from_the_next_snapshot_and_from_the_graph(ann: Character, projected: Graph) -> None:
    assert ("HAS_FATHER", "Built boats in Odense") in facts_of(read(ann))
    services.publish(ann, sheet=sheet(("LIKES", "fog")), by=None)
    assert facts_of(read(ann)) == [("LIKES", "fog")]
    projecting.sweep()
    assert facts_of(read(ann)) == [("LIKES", "fog")]
    held = projected.read(
        "MATCH (n) RETURN properties(n) AS held UNION ALL MATCH ()-[f]->() RETURN properties(f) AS held"
    )
    assert "Odense" not in str(held)


def test_a_draft_is_read_from_its_document(ann: Character) -> None:
    found = snapshot.read(request_for(ann, sheet(("LIKES", "the moon"))))
    assert (found.source, found.reason) == ("document", "this sheet isn't published")
    assert facts_of(found) == [("LIKES", "the moon")]


def test_an_older_revision_is_read_from_its_document(ann: Character) -> None:
    old = request_for(ann)
    services.publish(ann, sheet=sheet(("LIKES", "fog")), by=None)
    projecting.sweep()
    assert (snapshot.read(old).source, facts_of(snapshot.read(old))) == ("document", list(FACTS))


def test_characters_with_equal_sheets_have_their_own_snapshots(ann: Character) -> None:
    bo = sheets.character("bo", *FACTS)
    assert (read(ann).source, read(bo).source) == ("graph", "document")
    projecting.sweep()
    assert read(bo).source == "graph"


def test_the_graph_is_asked_once_per_revision_and_a_kept_snapshot_says_so(
    ann: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    ask = Graph.read

    def counting(graph: Graph, cypher: str, **params: Any) -> Any:
        asked.append(cypher)
        return ask(graph, cypher, **params)

    monkeypatch.setattr(Graph, "read", counting)
    assert [(read(ann).source, read(ann).reason) for _ in range(3)][1:] == [("graph", snapshot.KEPT)] * 2
    assert asked == [projection.SNAPSHOT]
    services.publish(ann, sheet=sheet(("LIKES", "fog")), by=None)
    projecting.sweep()
    asked.clear()
    assert (facts_of(read(ann)), read(ann).source) == ([("LIKES", "fog")], "graph")
    assert asked == [projection.SNAPSHOT]


def test_while_vectors_are_missing_a_snapshot_is_kept_until_there_are_more(
    ann: Character, projected: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.publish(ann, sheet=sheet(("LIKES", "fog"), ("LIKES", "hail")), by=None)
    projecting.sweep()
    revision = Revision.objects.get(character=ann, number=2)
    whole = revision.vectors
    Revision.objects.filter(character=ann).update(vectors=None)
    made: list[FactIndex] = []

    def counting(*args: Any) -> FactIndex:
        made.append(build_index(*args))
        return made[-1]

    monkeypatch.setattr(snapshot, "build_index", counting)
    assert [read(ann).index.missing for _ in range(3)] == [2, 2, 2]
    assert [read(ann).reason, len(made)] == [snapshot.KEPT, 1]
    Revision.objects.filter(pk=revision.pk).update(vectors=whole)
    assert [read(ann).index.missing for _ in range(3)] == [0, 0, 0]
    assert [read(ann).source, len(made)] == ["graph", 2]


def test_as_many_snapshots_are_kept_as_their_facts_have_room(ann: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "MAX_FACTS_KEPT", 2 * len(FACTS))
    for name in ("bo", "cy"):
        sheets.character(name, *FACTS)
    projecting.sweep()
    characters = list(Character.objects.order_by("pk"))
    for character in characters:
        read(character)
    assert [read(character).reason for character in reversed(characters)] == [snapshot.KEPT, snapshot.KEPT, ""]


@pytest.mark.parametrize(
    "cypher",
    [
        "MATCH ()-[f:FACT {predicate: 'LIKES'}]->() SET f.object = 'Sun'",
        "MATCH ()-[f:FACT {predicate: 'LIKES'}]->() SET f.object = null",
        "MATCH ()-[f:FACT {predicate: 'LIKES'}]->() DELETE f",
        "MATCH (c)-[f:FACT {predicate: 'LIKES'}]->(e) CREATE (c)-[:FACT {predicate: 'HATES', object: 'Sun'}]->(e)",
        "MATCH (c)-[f:FACT {predicate: 'LIKES'}]->(e) CREATE (c)-[:FACT {id: f.id, predicate: 'LIKES', "
        "object: f.object}]->(e)",
        "MATCH ()-[r:RELATED_TO]->(k:Concept {name: 'taste'}) DELETE r",
    ],
)
def test_a_graph_that_says_otherwise_is_not_believed(ann: Character, projected: Graph, cypher: str) -> None:
    projected.write(cypher)
    found = read(ann)
    assert (found.source, found.reason) == ("document", "the graph says otherwise; manage.py drift shows where")
    assert facts_of(found) == list(FACTS)


@pytest.mark.parametrize("cypher", ["MATCH (n) DETACH DELETE n", "MATCH (c:Character) SET c.facts = 3"])
def test_a_graph_that_lacks_her_is_not_believed(ann: Character, projected: Graph, cypher: str) -> None:
    projected.write(cypher)
    assert (read(ann).source, facts_of(read(ann))) == ("document", list(FACTS))


@pytest.mark.parametrize("broken", [GraphServer.kill, GraphServer.pause], ids=["killed", "hung"])
def test_without_the_graph_the_document_is_read_in_time(
    ann: Character,
    wire: Callable[..., None],
    graph_server: GraphServer,
    broken: Callable[[GraphServer], None],
) -> None:
    wire(graph_server, **HASTY)
    wiring.graph().ping()
    request = request_for(ann)
    broken(graph_server)
    began = time.perf_counter()
    found = snapshot.read(request)
    assert time.perf_counter() - began < IN_TIME_SECONDS
    assert found.source == "document"
    assert found.reason.startswith("The graph at" if broken is GraphServer.pause else "The graph does")
    assert facts_of(found) == list(FACTS)
    began = time.perf_counter()
    assert snapshot.read(request).reason.startswith("The graph did not answer a moment ago")
    assert time.perf_counter() - began < 0.2


def test_a_snapshot_that_was_read_before_needs_no_graph(
    ann: Character, wire: Callable[..., None], graph_server: GraphServer
) -> None:
    wire(graph_server, **HASTY)
    assert read(ann).source == "graph"
    graph_server.kill()
    assert (read(ann).source, read(ann).reason, facts_of(read(ann))) == ("graph", snapshot.KEPT, list(FACTS))


def test_a_graph_that_answers_again_is_read_again(
    ann: Character, wire: Callable[..., None], graph_server: GraphServer
) -> None:
    wire(graph_server, **HASTY)
    graph_server.pause()
    assert read(ann).source == "document"
    graph_server.resume()
    wiring.graph().ping()  # as the health page does; else it is asked again after 5 s
    assert read(ann).source == "graph"


def test_a_character_without_facts_has_an_empty_snapshot(ann: Character) -> None:
    services.publish(ann, sheet=Sheet("Ann", "You are {{char}}."), by=None)
    projecting.sweep()
    found = read(ann)
    assert (found.source, found.index.facts, found.index.missing) == ("graph", (), 0)
