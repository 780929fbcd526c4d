"""Read a person's part of the graph. Every pattern names the owner, and every edge the character."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from characters.turn.request import Edge, TurnRequest
from kgadmin.stores import wiring

# Facts of a person's entities; if one is about the person, the other end is the User. The lookup by id is indexed.
FACTS_OF_ENTITIES = """
UNWIND $seeds AS seed
MATCH (e:Entity {id: seed, owner: $owner})-[f:FACT {character: $character}]-(other)
WHERE other.owner = $owner
WITH seed, f ORDER BY f.last_seen DESC, f.id
WITH seed, collect(f)[..$limit] AS newest
UNWIND newest AS f
RETURN f.id AS fact, startNode(f).id AS subject, endNode(f).id AS object,
    f.mentions AS mentions, f.last_seen AS last_seen, f.confidence AS confidence
ORDER BY last_seen DESC, fact
"""

FACTS_OF_CHARACTER = """
UNWIND $seeds AS seed
MATCH (c:Character {id: $character})-[f:FACT {id: seed}]->(e:Entity {owner: $character})
RETURN f.id AS fact, c.id AS subject, e.id AS object, f.confidence AS confidence
ORDER BY fact
"""

TOGETHER = """
UNWIND $seeds AS seed
MATCH (e:Entity {id: seed, owner: $owner})<-[:MENTIONS]-(m:Message {character: $character})
MATCH (m)-[:MENTIONS]->(other:Entity {owner: $owner})
WHERE other.id <> seed
RETURN seed AS subject, other.id AS object, count(m) AS count
ORDER BY count DESC, subject, object
LIMIT $limit
"""

FACTS_OF_PERSON = """
MATCH (u:User {id: $owner, owner: $owner})-[f:FACT {character: $character}]->(e:Entity {owner: $owner})
RETURN f.id AS fact, u.id AS subject, e.id AS object, f.last_seen AS last_seen
ORDER BY last_seen DESC, fact
LIMIT $limit
"""

MOST_EDGES = 200
"""Most edges of one step of an exploration."""


def warm() -> None:
    """Let the graph plan the walk's statements before the first turn."""
    nobody = {"seeds": ["nobody"], "owner": "nobody", "character": "nobody", "limit": 1}
    wiring.graph().warm([(FACTS_OF_ENTITIES, nobody), (FACTS_OF_CHARACTER, nobody)])


def walk(request: TurnRequest, seeds: Sequence[str], hops: int, limit: int) -> list[Edge]:
    """Return at most `limit` edges within `hops` of the seeds, nearest first. Raises `StoreError`.

    The walk continues through entities only: through the person it would reach everything.
    """
    edges: dict[str, Edge] = {}
    frontier = list(dict.fromkeys(seeds))
    reached = set(frontier)
    for depth in range(hops):
        if not frontier or len(edges) >= limit:
            break
        rows = _edges(request, frontier, max(1, limit // len(frontier)))
        frontier = []
        for row in rows:
            edges.setdefault(row["fact"], _edge(row, depth))
            for end in (row["subject"], row["object"]):
                if end.startswith("entity:") and end not in reached:
                    reached.add(end)
                    frontier.append(end)
    return list(edges.values())[:limit]


def _edges(request: TurnRequest, seeds: Sequence[str], limit: int) -> list[dict[str, Any]]:
    """Return the edges of these nodes, of each at most `limit`: what is fresh of one doesn't push out another's."""
    of_person = [seed for seed in seeds if seed.startswith("entity:")]
    of_character = [seed for seed in seeds if seed.startswith(f"{request.character}/")]
    graph = wiring.graph()
    rows: list[dict[str, Any]] = []
    if of_person and request.person_id:
        rows += graph.read(
            FACTS_OF_ENTITIES, seeds=of_person, owner=request.person_id, character=request.character, limit=limit
        )
    if of_character:
        rows += graph.read(FACTS_OF_CHARACTER, seeds=of_character, character=request.character)
    return rows


def _edge(row: Mapping[str, Any], depth: int) -> Edge:
    last_seen = row.get("last_seen")
    return Edge(
        fact=row["fact"],
        subject=row["subject"],
        object=row["object"],
        depth=depth,
        mentions=row.get("mentions") or 1,
        last_seen=datetime.fromisoformat(last_seen) if last_seen else None,
        confidence=row["confidence"],
    )


@dataclass(frozen=True, slots=True)
class Tie:
    """Two nodes connected by a fact or, if `fact` is empty, by `count` messages that mention both."""

    subject: str
    object: str
    fact: str = ""
    count: int = 0

    @property
    def id(self) -> str:
        """Return the fact's id, or one made of both ends."""
        ends = sorted(end.rpartition(":")[2] for end in (self.subject, self.object))
        return self.fact or f"together:{'-'.join(ends)}"


@dataclass(slots=True)
class Explored:
    """The nodes that an exploration reached, in order, with their hops from the seeds."""

    nodes: dict[str, int]
    ties: dict[str, Tie] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)
    """Nodes with all their ties loaded."""
    is_full: bool = False
    """Whether there was more than may be drawn."""

    def add(self, ties: Iterable[Tie], hop: int, most: int) -> None:
        """Add ties with their ends, up to `most` nodes."""
        for tie in ties:
            new = {end for end in (tie.subject, tie.object) if end not in self.nodes}
            if len(self.nodes) + len(new) > most:
                self.is_full = True
                continue
            self.nodes.update(dict.fromkeys(sorted(new), hop))
            self.ties.setdefault(tie.id, tie)


def explore(
    *, owner: str, character: str, seeds: Sequence[str], hops: int, expanded: Sequence[str], most: int
) -> Explored:
    """Return what is within `hops` of the seeds, and around each expanded node reached.

    Raises `StoreError`. It continues through entities; the person's own facts come only if the person is expanded.
    """
    explored = Explored(dict.fromkeys(seeds, 0))
    for hop in range(1, hops + 1):
        frontier = [id_ for id_ in explored.nodes if id_.startswith("entity:") and id_ not in explored.open]
        _step(explored, owner, character, frontier, hop, most)
    for id_ in expanded:
        if id_ in explored.nodes and id_ not in explored.open:
            _step(explored, owner, character, [id_], explored.nodes[id_] + 1, most)
    return explored


def _step(explored: Explored, owner: str, character: str, ids: Sequence[str], hop: int, most: int) -> None:
    explored.open.update(ids)
    entities = [id_ for id_ in ids if id_.startswith("entity:")]
    if entities:
        explored.add(_ties(FACTS_OF_ENTITIES, owner, character, seeds=entities), hop, most)
        explored.add(_ties(TOGETHER, owner, character, seeds=entities), hop, most)
    if owner in ids:
        explored.add(_ties(FACTS_OF_PERSON, owner, character), hop, most)


def _ties(cypher: str, owner: str, character: str, **more: Any) -> Iterable[Tie]:
    rows = wiring.graph().read(cypher, owner=owner, character=character, limit=MOST_EDGES, **more)
    return [Tie(row["subject"], row["object"], row.get("fact") or "", row.get("count") or 0) for row in rows]
