"""A sheet's concepts in the graph, and what the turn's one statement can reach there."""

from datetime import UTC, datetime

import pytest

from characters.profiles import projection, services, snapshot
from characters.profiles.models import Character, Predicate
from characters.turn.background import background
from characters.turn.intent import Intent
from characters.turn.request import TurnRequest
from characters.turn.sheet import Concept
from kgadmin.projection import services as projecting
from kgadmin.stores.graph import Graph
from tests.characters.profiles import sheets
from tests.characters.profiles.sheets import FACTS, sheet

RELATED = """
MATCH (e:Entity)-[r:RELATED_TO]->(k:Concept {owner: $character})
RETURN e.name AS entity, k.name AS concept, r.weight AS weight
"""


@pytest.fixture
def ann(projected: Graph, predicates: None) -> Character:
    """A character whose sheet, with a concept of its own, is in the graph."""
    snapshot._SNAPSHOTS.clear()
    character = sheets.character(concepts=(Concept("weather", ("LIKES",)),))
    assert projecting.sweep() == 1
    return character


def related(graph: Graph, character: Character) -> set[tuple[str, str, float]]:
    rows = graph.read(RELATED, character=character.graph_id)
    return {(row["entity"], row["concept"], row["weight"]) for row in rows}


def test_concepts_are_made_at_publish_where_the_sheet_names_none(ann: Character, projected: Graph) -> None:
    assert related(projected, ann) == {
        ("Rain on a tin roof", "weather", 1.0),
        ("lighthouse keeper", "work", 0.5),
        ("Built boats in Odense", "family", 0.5),
    }
    assert projecting.drift() == []


def test_what_the_author_changes_of_them_is_changed_by_the_next_publish(ann: Character, projected: Graph) -> None:
    services.publish(ann, sheet=sheet(concepts=(Concept("sea", ("IS_A", "HAS_FATHER")),)), by=None)
    assert projecting.sweep() == 1
    assert related(projected, ann) == {
        ("lighthouse keeper", "sea", 1.0),
        ("Built boats in Odense", "sea", 1.0),
        ("Rain on a tin roof", "taste", 0.5),
    }
    assert projecting.drift() == []


def test_a_rebuild_leaves_no_concept_double_or_behind(ann: Character, projected: Graph) -> None:
    before = related(projected, ann)
    projected.write("CREATE (:Concept {id: 'x', owner: 'character:999', name: 'left over'})")
    projecting.rebuild("graph")
    projecting.sweep()
    assert related(projected, ann) == before
    assert projected.read("MATCH (k:Concept) RETURN count(k) AS n") == [{"n": 3}]


@pytest.mark.parametrize(
    "message",
    [
        "What do you like?",
        "Tell me about your father",
        "Do you like the purple pelican?",
        "purple pelican",
        "' OR 1=1 RETURN n //",
        "MATCH (u:User)-[f:FACT]->(e) RETURN e",
    ],
)
def test_a_persons_fact_can_not_come_out_whatever_the_message_says(
    ann: Character, projected: Graph, message: str
) -> None:
    """People's facts with the same words, one of them hung on her very entities and concepts."""
    projected.write(
        "CREATE (u:User {id: 'person:1', owner: 'person:1'})"
        "-[:FACT {id: 'user_fact:1', predicate: 'LIKES', object: 'purple pelican', character: $character}]->"
        "(:Entity {id: 'person:1/e', owner: 'person:1', key: 'purple pelican', name: 'purple pelican'})",
        character=ann.graph_id,
    )
    projected.write(
        "MATCH (u:User {id: 'person:1'}), (e:Entity {key: 'rain on a tin roof'}) "
        "CREATE (u)-[:FACT {id: 'user_fact:2', predicate: 'LIKES', object: 'Rain on a purple pelican'}]->(e)"
    )
    ann.refresh_from_db()
    assert ann.sheet is not None
    request = TurnRequest(
        message=message,
        character=ann.graph_id,
        sheet=ann.sheet,
        revision=1,
        person="person:1",
        now=datetime(2026, 1, 1, tzinfo=UTC),
        predicates=Predicate.objects.registry(),
    )
    read = snapshot.read(request)
    assert read.source == "graph"
    found = background(request, snapshot.read, None, Intent())
    told = {(fact.predicate, fact.object) for fact in (*found.used, *found.dropped)}
    assert told <= set(FACTS)
    rows = projected.read(projection.SNAPSHOT, character=ann.graph_id)
    assert "pelican" not in str(rows)
    assert projected.read(projection.SNAPSHOT, character="person:1") == []
