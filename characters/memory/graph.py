"""Reading what the graph holds of a person. Every pattern names the owner, and every edge the character."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from characters.turn.request import Edge, TurnRequest
from kgadmin.stores import wiring

# Edges of a person's entities; where it is about the person, the other end is the User. The lookup by id is indexed.
FACTS_OF_ENTITIES = """
UNWIND $seeds AS seed
MATCH (e:Entity {id: seed, owner: $owner})-[f:FACT {character: $character}]-(other)
WHERE other.owner = $owner
RETURN seed, f.id AS fact, startNode(f).id AS subject, endNode(f).id AS object,
    f.mentions AS mentions, f.last_seen AS last_seen, f.confidence AS confidence
ORDER BY last_seen DESC, fact
LIMIT $limit
"""

FACTS_OF_CHARACTER = """
UNWIND $seeds AS seed
MATCH (c:Character {id: $character})-[f:FACT {id: seed}]->(e:Entity {owner: $character})
RETURN seed, f.id AS fact, c.id AS subject, e.id AS object, f.confidence AS confidence
ORDER BY fact
LIMIT $limit
"""


def walk(request: TurnRequest, seeds: Sequence[str], hops: int, limit: int) -> list[Edge]:
    """At most `limit` edges that are at most `hops` from the seeds, nearest first. Raises `StoreError`.

    The walk goes on through entities only: from the person themselves it would reach everything.
    """
    found: dict[str, Edge] = {}
    reached = {seed: seed for seed in seeds}
    frontier = list(reached)
    for depth in range(hops):
        if not frontier or len(found) >= limit:
            break
        rows = _edges(request, frontier, limit)
        frontier = []
        for row in rows:
            origin = reached[row["seed"]]
            found.setdefault(row["fact"], _edge(row, depth, origin))
            for end in (row["subject"], row["object"]):
                if end.startswith("entity:") and end not in reached:
                    reached[end] = origin
                    frontier.append(end)
    return list(found.values())[:limit]


def _edges(request: TurnRequest, seeds: Sequence[str], limit: int) -> list[dict[str, Any]]:
    theirs = [seed for seed in seeds if seed.startswith("entity:")]
    hers = [seed for seed in seeds if seed.startswith(f"{request.character}/")]
    graph = wiring.graph()
    rows: list[dict[str, Any]] = []
    if theirs and request.person_id:
        rows += graph.read(
            FACTS_OF_ENTITIES, seeds=theirs, owner=request.person_id, character=request.character, limit=limit
        )
    if hers:
        rows += graph.read(FACTS_OF_CHARACTER, seeds=hers, character=request.character, limit=limit)
    return rows


def _edge(row: Mapping[str, Any], depth: int, seed: str) -> Edge:
    last_seen = row.get("last_seen")
    return Edge(
        fact=row["fact"],
        subject=row["subject"],
        object=row["object"],
        depth=depth,
        seed=seed,
        mentions=row.get("mentions") or 1,
        last_seen=datetime.fromisoformat(last_seen) if last_seen else None,
        confidence=row["confidence"],
    )
