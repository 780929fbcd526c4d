"""Live sheets in a real graph: written whole, compared whole."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier
from typing import Any

import pytest
from django.db import connections

from characters.domain.sheet import Sheet
from characters.profiles import projection, services
from characters.profiles.models import Character, Revision
from characters.profiles.projection import Progress, SheetProjector
from kgadmin.projection import services as projecting
from kgadmin.projection.models import Lease
from kgadmin.stores import graph as stored_graph
from kgadmin.stores.errors import StoreError
from kgadmin.stores.graph import Graph
from tests import stack
from tests.characters.profiles import sheets
from tests.characters.profiles.sheets import FACTS, sheet
from tests.kgadmin.knowledge.ingestion import HashEmbedder
from tests.servers import GraphServer

EVERYTHING = """
MATCH (c:Character)-[f:FACT]->(e:Entity)
RETURN c.id AS character, f.predicate AS predicate, f.object AS object, f.tier AS tier, f.confidence AS confidence,
       e.owner AS owner, e.key AS key
"""


def facts_in(graph: Graph, character: Character) -> list[tuple[str, str]]:
    rows = graph.read(projection.FACTS, character=character.graph_id)
    return sorted((row["predicate"], row["object"]) for row in rows)


def entities_in(graph: Graph, character: Character) -> list[str]:
    return sorted(row["key"] for row in graph.read(projection.ENTITIES, character=character.graph_id))


def publish(character: Character, published: Sheet) -> None:
    services.publish(character, sheet=published, by=None)


def sweep() -> None:
    """What beat does; everything must be projected after it."""
    projecting.sweep()
    assert projecting.waiting() == [], list(Lease.objects.values_list("error", flat=True))


def test_a_whole_sheet_is_written_and_gets_its_vectors(projected: Graph, hashed: HashEmbedder) -> None:
    ann = sheets.character()
    sweep()
    node = projected.read(projection.NODE, character=ann.graph_id)
    assert node == [{"name": "Ann Holm", "revision": 1, "facts": 4}]
    rows = projected.read(EVERYTHING)
    assert Counter((row["predicate"], row["object"]) for row in rows) == Counter(FACTS)
    assert {(row["character"], row["owner"]) for row in rows} == {(ann.graph_id, ann.graph_id)}
    assert {(row["tier"], row["confidence"]) for row in rows} == {("core", 1.0)}
    assert entities_in(projected, ann) == sorted(projection.entity_key(text) for _, text in FACTS)
    assert projecting.drift() == []
    revision = Revision.objects.get()
    assert (bool(revision.vectors), revision.embedder) == (True, hashed.id)


RAIN, KEEPER = ("LIKES", "rain"), ("IS_A", "keeper")
CHANGES: dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]], list[str]]] = {
    "another-object": ([RAIN, KEEPER], [("LIKES", "fog"), KEEPER], ["fog", "keeper"]),
    "a-fact-less": ([RAIN, KEEPER], [RAIN], ["rain"]),
    "an-entity-of-two-facts": ([RAIN, ("REMEMBERS", "rain")], [RAIN], ["rain"]),
    "no-fact-left": ([RAIN], [], []),
    "another-case": ([RAIN], [("LIKES", "Rain"), ("LOVES", "rain"), ("REMEMBERS", "the  RAIN")], ["rain", "the rain"]),
    "nothing": ([RAIN], [RAIN], ["rain"]),
}
"""By slug: the facts before and after, and the entities that are left."""


def test_what_is_published_next_takes_the_place_of_what_was_there(projected: Graph) -> None:
    for slug, (before, _, _) in CHANGES.items():
        sheets.character(slug, *before)
    sweep()
    for slug, (_, after, _) in CHANGES.items():
        if slug != "nothing":
            publish(Character.objects.get(slug=slug), sheet(*after) if after else Sheet("Ann", "You are {{char}}."))
    sweep()
    for slug, (_, after, entities) in CHANGES.items():
        character = Character.objects.get(slug=slug)
        assert (facts_in(projected, character), entities_in(projected, character)) == (sorted(after), entities), slug
    assert projecting.drift() == []


def test_words_that_look_like_cypher_or_templates_are_only_words(projected: Graph) -> None:
    evil = "'}) DETACH DELETE n //", '"; MATCH (n) DELETE n', "$character", "{{char}}", "\\u0041", "line\nline\u2028"
    many = (f"thing {number}" for number in range(200))
    ann = sheets.character("ann", *(("LIKES", text) for text in (*evil, *many)))
    sweep()
    facts = facts_in(projected, ann)
    assert len(facts) == 206
    assert {("LIKES", text) for text in evil} <= set(facts)
    assert projecting.drift() == []


def test_two_projectors_of_one_owner_leave_no_double_edge_even_without_a_lease(projected: Graph) -> None:
    ann = sheets.character("ann", *(("LIKES", f"thing {number}") for number in range(30)))
    sweep()
    publish(ann, sheet(*(("LIKES", f"other {number}") for number in range(30))))

    def project() -> None:
        with suppress(StoreError):  # the constraint on ids refuses the second one
            SheetProjector().project(ann.graph_id)

    at_once(project, project, project)
    sweep()
    assert len(facts_in(projected, ann)) == 30
    assert projecting.drift() == []


def at_once(*works: Callable[[], object]) -> None:
    together = Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        try:
            together.wait(10)
            work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(works)) as threads:
        list(threads.map(run, works))


def test_a_projector_that_slept_and_writes_an_older_sheet_is_put_right(
    projected: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = sheets.character("ann", ("LIKES", "rain"), ("IS_A", "keeper"))
    write = Graph.write_all

    def overtaken(graph: Graph, statements: Any) -> Any:
        monkeypatch.setattr(Graph, "write_all", write)
        publish(ann, sheet(("LIKES", "fog")))
        Lease.objects.all().delete()  # it ran out while this one slept
        sweep()
        return write(graph, statements)

    projecting.ensure_schema()
    monkeypatch.setattr(Graph, "ensure_schema", lambda *_: None)
    monkeypatch.setattr(Graph, "write_all", overtaken)
    SheetProjector().project(ann.graph_id)
    assert ann.waits_for_graph
    sweep()
    assert facts_in(projected, ann) == [("LIKES", "fog")]
    assert projecting.drift() == []


def test_a_transaction_that_ran_twice_leaves_no_double_edge(projected: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver runs a transaction again when the connection broke before it heard of the commit."""
    ann = sheets.character()
    write = Graph.write_all
    monkeypatch.setattr(Graph, "write_all", lambda graph, rows: [write(graph, rows), write(graph, rows)][1])
    sweep()
    assert facts_in(projected, ann) == sorted(FACTS)
    assert projecting.drift() == []


EDGES, ENTITIES = "facts of characters", "entities of characters"
CONCEPTS, RELATIONS = "concepts of characters", "relations to concepts"
BY_HAND = {
    "an object": ("MATCH ()-[f:FACT {predicate: 'LIKES'}]->() SET f.object = 'Sun'", [EDGES]),
    "a missing edge": ("MATCH ()-[f:FACT {predicate: 'LIKES'}]->() DELETE f", [EDGES]),
    "a double edge": (
        "MATCH (c)-[f:FACT {predicate: 'LIKES'}]->(e) "
        "CREATE (c)-[:FACT {id: f.id, predicate: f.predicate, object: f.object}]->(e)",
        [EDGES],
    ),
    "a missing entity": ("MATCH (e:Entity {key: 'lighthouse keeper'}) DETACH DELETE e", [EDGES, ENTITIES, RELATIONS]),
    "a weight": ("MATCH ()-[r:RELATED_TO]->(:Concept {name: 'taste'}) SET r.weight = 9.0", [RELATIONS]),
    "a loose entity": ("MATCH (c:Character) CREATE (:Entity {id: 'x', owner: c.id, key: 'x'})", [ENTITIES]),
    "the name": ("MATCH (c:Character) SET c.name = 'Eve'", ["characters"]),
    "the revision": ("MATCH (c:Character) SET c.revision = 7", ["characters"]),
    "nothing": ("MATCH (n) DETACH DELETE n", ["characters", EDGES, ENTITIES, CONCEPTS, RELATIONS]),
}


def test_drift_finds_what_was_changed_by_hand_and_projecting_repairs_it(projected: Graph) -> None:
    ann = sheets.character()
    sweep()
    for case, (cypher, kinds) in BY_HAND.items():
        projected.write(cypher)
        assert [(each.owner, each.what) for each in projecting.drift()] == [(ann.graph_id, kind) for kind in kinds], (
            case
        )
        SheetProjector().note_all("graph")
        sweep()
        assert projecting.drift() == [], case
        assert facts_in(projected, ann) == sorted(FACTS), case


def test_drift_finds_a_character_that_is_not_there(projected: Graph) -> None:
    projected.write("CREATE (:Character {id: 'character:999'})")
    assert [(each.owner, each.what) for each in projecting.drift()] == [("character:999", "characters")]


def test_while_the_graph_is_down_the_mark_and_the_error_stay_and_it_is_tried_later(
    projected: Graph, graph_server: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = sheets.character()
    monkeypatch.setattr(stored_graph, "WRITE_RETRY_SECONDS", 1.0)
    stack.forget_engines()
    graph_server.kill()
    assert projecting.sweep() == 0
    lease = Lease.objects.get(owner=ann.graph_id)
    assert (lease.failures, lease.held_until) == (1, None)
    assert "The graph" in lease.error
    assert ann.waits_for_graph
    assert projection.publishing(ann) == Progress(1, False, lease.error)
    with pytest.raises(StoreError):
        projecting.drift()
    graph_server.start()
    stack.forget_engines()
    Lease.objects.update(retry_at=None)  # the wait is over
    sweep()
    lease.refresh_from_db()
    assert lease.failures == 0
    assert projection.publishing(ann) == Progress(1, True)
    assert projecting.drift() == []


def test_an_embedder_that_cannot_be_loaded_leaves_the_mark(
    projected: Graph, hashed: HashEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(texts: object) -> None:
        raise StoreError("The embedding model can't be loaded.", retryable=False)

    ann = sheets.character()
    with monkeypatch.context() as patch:
        patch.setattr(hashed, "embed", broken)
        assert projecting.sweep() == 0
    assert Lease.objects.get().error == "The embedding model can't be loaded."
    assert ann.waits_for_graph
    Lease.objects.update(retry_at=None)
    sweep()
    assert Revision.objects.get().vectors
