"""A sheet's concepts in the graph: (:Entity)-[:RELATED_TO {id, weight}]->(:Concept {id, owner, name}).

A concept belongs to one character. The edges are the categories that find a fact: "career" finds a paper.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from characters.domain.sheet import Fact, Sheet, concept_weights
from characters.profiles.models import Predicate

CONSTRAINT = "CREATE CONSTRAINT concept_id IF NOT EXISTS FOR (k:Concept) REQUIRE k.id IS UNIQUE"

RELATIONS = """
MATCH (e:Entity {owner: $character})-[r:RELATED_TO]->(k:Concept {owner: $character})
RETURN r.id AS id, e.id AS entity, k.id AS concept, r.weight AS weight
"""

CONCEPTS = "MATCH (k:Concept {owner: $character}) RETURN k.id AS id, k.name AS name"

DROP_CONCEPTS = """
MATCH (k:Concept)
WHERE k.owner STARTS WITH 'character:'
WITH k LIMIT 500
DETACH DELETE k
RETURN count(*) AS deleted
"""

# Like DELETE_FACTS in `projection`.
DELETE_RELATIONS = """
MATCH (:Entity {owner: $character})-[r:RELATED_TO]->()
WHERE r.id IS NULL OR NOT r.id IN $right
DELETE r
"""

WRITE_CONCEPTS = """
UNWIND $rows AS row
MERGE (k:Concept {id: row.concept})
SET k.owner = $character, k.name = row.name
"""

WRITE_RELATIONS = """
UNWIND $rows AS row
MATCH (e:Entity {id: row.entity}), (k:Concept {id: row.concept})
CREATE (e)-[:RELATED_TO {id: row.id, weight: row.weight}]->(k)
"""

DELETE_LOOSE_CONCEPTS = """
MATCH (k:Concept {owner: $character})
WHERE NOT k.id IN $concepts
DETACH DELETE k
"""

Row = dict[str, Any]
PROPERTIES = ("entity", "concept", "weight")
"""Properties of an edge to a concept that are compared, beside its id."""


def wanted(owner: str, sheet: Sheet, facts: Iterable[Fact], entities: dict[str, str]) -> list[Row]:
    """Return the sheet's edges for these facts; `entities` maps fact ids to entities."""
    by_predicate = concept_weights(sheet, Predicate.objects.registry())
    rows: dict[str, Row] = {}
    for fact in facts:
        for name, weight in by_predicate.get(fact.predicate, {}).items():
            concept = f"{owner}/concept:{name}"
            key = f"{entities[fact.id]}|{name}"
            there = rows.get(key)
            if there is None or there["weight"] < weight:
                rows[key] = {"id": key, "entity": entities[fact.id], "concept": concept, "name": name, "weight": weight}
    return list(rows.values())


def statements(owner: str, rows: list[Row], there: list[Row]) -> list[tuple[str, Row]]:
    """Return the statements that replace the edges `there` with `rows`; the entities exist already."""
    right = unchanged(rows, there, PROPERTIES)
    named = {row["concept"]: {"concept": row["concept"], "name": row["name"]} for row in rows}
    return [
        (DELETE_RELATIONS, {"character": owner, "right": sorted(right)}),
        (WRITE_CONCEPTS, {"character": owner, "rows": list(named.values())}),
        (WRITE_RELATIONS, {"character": owner, "rows": [row for row in rows if row["id"] not in right]}),
        (DELETE_LOOSE_CONCEPTS, {"character": owner, "concepts": sorted(named)}),
    ]


def unchanged(rows: Sequence[Row], there: Sequence[Row], properties: Sequence[str]) -> set[str]:
    """Return the ids of the edges that are correct, and exist once."""
    edge = itemgetter("id", *properties)
    edges, ids = Counter(map(edge, there)), Counter(row["id"] for row in there)
    return {row["id"] for row in rows if edges[edge(row)] == ids[row["id"]] == 1}
