"""A character's live sheet in the graph: written whole, compared whole.

    (:Character {id, owner, name, revision})-[:FACT {id, predicate, tier, confidence}]->(:Entity {id, owner, key, name})

The database is the truth; these statements make the graph say the same, however often they run.
"""

from typing import Any

from characters.profiles import vectors
from characters.profiles.models import Character
from characters.turn.sheet import Fact
from kgadmin.projection.services import Difference
from kgadmin.stores import wiring

SCHEMA = (
    "CREATE CONSTRAINT character_id IF NOT EXISTS FOR (c:Character) REQUIRE c.id IS UNIQUE",
    "CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (e:Entity) REQUIRE e.id IS UNIQUE",
)

FACTS = """
MATCH (c:Character {id: $character})-[f:FACT]->(e:Entity)
RETURN f.id AS id, f.predicate AS predicate, e.name AS object
"""

NODE = "MATCH (c:Character {id: $character}) RETURN c.name AS name, c.revision AS revision, c.facts AS facts"

ALL_CHARACTERS = "MATCH (c:Character) RETURN c.id AS id"

DELETE_FACTS = """
MATCH (c:Character {id: $character})-[f:FACT]->(e:Entity)
WHERE f.id IN $ids
DELETE f
"""

WRITE_CHARACTER = """
MERGE (c:Character {id: $character})
SET c.owner = $character, c.name = $name
"""

WRITE_ENTITIES = """
UNWIND $rows AS row
MERGE (e:Entity {id: row.entity})
SET e.owner = $character, e.key = row.key, e.name = row.object
"""

WRITE_FACTS = """
UNWIND $rows AS row
MATCH (c:Character {id: $character}), (e:Entity {id: row.entity})
CREATE (c)-[:FACT {id: row.id, predicate: row.predicate, tier: 'core', confidence: 1.0}]->(e)
"""

DELETE_LOOSE_ENTITIES = """
MATCH (e:Entity {owner: $character})
WHERE NOT (e)--()
DELETE e
"""

# Last: a reader trusts the graph only where revision and count are the live ones.
MARK_REVISION = "MATCH (c:Character {id: $character}) SET c.revision = $revision, c.facts = $facts"


class SheetProjector:
    """Projects live sheets."""

    def stale(self) -> list[str]:
        """Characters whose live sheet isn't in the graph yet."""
        return [character.graph_id for character in Character.objects.stale()]

    def project(self, owner: str) -> None:
        """Write the live sheet of `owner` in one transaction, then make its vectors, then clear the mark."""
        character = Character.objects.select_related("live_revision").get(pk=owner.partition(":")[2])
        revision, version = character.live_revision, character.version
        if revision:
            wiring.graph().ensure_schema(SCHEMA)
            wiring.graph().write_all(_statements(character, revision.sheet.facts, revision.number))
            vectors.ensure(revision)
        character.projected(version)

    def drift(self) -> list[Difference]:
        """Characters whose facts differ, that are missing, or that nobody knows any more."""
        graph = wiring.graph()
        rows = {character.graph_id: character for character in Character.objects.select_related("live_revision")}
        found = {row["id"] for row in graph.read(ALL_CHARACTERS)}
        unknown = [Difference(owner, "character", "none", "one") for owner in sorted(found - rows.keys())]
        return unknown + [each for owner, character in rows.items() for each in _differences(owner, character)]


def fact_id(character: str, fact: Fact) -> str:
    """A fact's id in the graph: unique over all characters, so that a clone can't collide."""
    return f"{character}/fact:{fact.id}"


def entity_key(text: str) -> str:
    """Under which key an owner's entities are the same."""
    return " ".join(text.casefold().split())


def _row(character: str, fact: Fact) -> dict[str, str]:
    key = entity_key(fact.object)
    return {
        "id": fact_id(character, fact),
        "predicate": fact.predicate,
        "object": fact.object,
        "key": key,
        "entity": f"{character}/entity:{key}",
    }


def _statements(character: Character, facts: tuple[Fact, ...], revision: int) -> list[tuple[str, dict[str, Any]]]:
    """What turns the graph as it is into the sheet; edges that changed are deleted and made anew."""
    owner = character.graph_id
    wanted = {row["id"]: row for row in (_row(owner, fact) for fact in facts)}
    there = [(row["id"], row["predicate"], row["object"]) for row in wiring.graph().read(FACTS, character=owner)]
    right = {i for i, predicate, text in there if _same(wanted.get(i), predicate, text) and _once(i, there)}
    gone = sorted({i for i, *_ in there} - right)
    new = [row for i, row in wanted.items() if i not in right]
    return [
        (WRITE_CHARACTER, {"character": owner, "name": character.name}),
        (DELETE_FACTS, {"character": owner, "ids": gone}),
        (WRITE_ENTITIES, {"character": owner, "rows": new}),
        (WRITE_FACTS, {"character": owner, "rows": new}),
        (DELETE_LOOSE_ENTITIES, {"character": owner}),
        (MARK_REVISION, {"character": owner, "revision": revision, "facts": len(facts)}),
    ]


def _same(row: dict[str, str] | None, predicate: str, text: str) -> bool:
    return row is not None and (row["predicate"], row["object"]) == (predicate, text)


def _once(fact: str, there: list[tuple[str, str, str]]) -> bool:
    return sum(other == fact for other, *_ in there) == 1


def _differences(owner: str, character: Character) -> list[Difference]:
    revision = character.live_revision
    if revision is None:
        return []
    graph = wiring.graph()
    node = next(iter(graph.read(NODE, character=owner)), None)
    if node is None:
        return [Difference(owner, "character", character.slug, "none")]
    expected = sorted((fact_id(owner, fact), fact.predicate, fact.object) for fact in revision.sheet.facts)
    found = sorted((row["id"], row["predicate"], row["object"]) for row in graph.read(FACTS, character=owner))
    differences = []
    if node["revision"] != revision.number:
        differences.append(Difference(owner, "revision", str(revision.number), str(node["revision"])))
    if expected != found:
        wrong = len(set(expected) ^ set(found)) or abs(len(expected) - len(found))
        differences.append(Difference(owner, "facts", str(len(expected)), f"{len(found)}, {wrong} of them otherwise"))
    return differences
