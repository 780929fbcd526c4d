"""A character's live sheet and what she learned, in the graph: written whole, compared whole.

    (:Character {id, owner, name, revision, facts})
        -[:FACT {id, predicate, object, tier, confidence}]->(:Entity {id, owner, key, name})
        -[:RELATED_TO {id, weight}]->(:Concept {id, owner, name})

The database is the truth; these statements make the graph say the same, however often they run. Facts whose objects
differ in case only share an entity, so the words themselves stand on the edge.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from characters.domain.sheet import Fact, Sheet, is_learned
from characters.profiles import relations, vectors
from characters.profiles.models import Character, Revision
from kgadmin.projection.comparison import Comparison, Difference, Digest, joined
from kgadmin.projection.models import Change, LeaseLostError
from kgadmin.projection.services import Projector, Renew, Store, ensure_schema, no_lease
from kgadmin.projection.triggers import Watch
from kgadmin.stores import wiring

SCHEMA = (
    "CREATE CONSTRAINT character_id IF NOT EXISTS FOR (c:Character) REQUIRE c.id IS UNIQUE",
    "CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (e:Entity) REQUIRE e.id IS UNIQUE",
    relations.CONSTRAINT,
)

# The only statement by which a turn reads a character: nothing but a :Character, what hangs on her by FACT, and the
# concepts of that is in it.
SNAPSHOT = """
MATCH (c:Character {id: $character})
OPTIONAL MATCH (c)-[f:FACT]->(e:Entity {owner: $character})
OPTIONAL MATCH (e)-[r:RELATED_TO]->(k:Concept {owner: $character})
RETURN c.revision AS revision, c.facts AS facts, f.id AS id, f.predicate AS predicate, f.object AS object,
    r.id AS relation, k.name AS concept
"""

FACTS = """
MATCH (c:Character {id: $character})-[f:FACT]->(e:Entity)
RETURN f.id AS id, f.predicate AS predicate, f.object AS object, f.tier AS tier, f.confidence AS confidence,
    e.id AS entity
"""

NODE = "MATCH (c:Character {id: $character}) RETURN c.name AS name, c.revision AS revision, c.facts AS facts"

ALL_CHARACTERS = "MATCH (c:Character) RETURN c.id AS id"

DROP_CHARACTERS = "MATCH (c:Character) WITH c LIMIT 500 DETACH DELETE c RETURN count(*) AS deleted"

DROP_ENTITIES = """
MATCH (e:Entity)
WHERE e.owner STARTS WITH 'character:'
WITH e LIMIT 500
DETACH DELETE e
RETURN count(*) AS deleted
"""

ENTITIES = "MATCH (e:Entity {owner: $character}) RETURN e.id AS id, e.key AS key, e.name AS name"

# All but the right ones, also those that are created next: the driver runs a transaction again whose end it didn't see.
DELETE_FACTS = """
MATCH (c:Character {id: $character})-[f:FACT]->()
WHERE f.id IS NULL OR NOT f.id IN $right
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
CREATE (c)-[:FACT {
    id: row.id, predicate: row.predicate, object: row.object, tier: row.tier, confidence: row.confidence
}]->(e)
"""

DELETE_LOOSE_ENTITIES = """
MATCH (e:Entity {owner: $character})
WHERE NOT (e)<-[:FACT]-()
DETACH DELETE e
"""

# Last: a reader trusts the graph only where revision and count are the live ones.
MARK_REVISION = "MATCH (c:Character {id: $character}) SET c.revision = $revision, c.facts = $facts"


NODES, EDGES, NAMED = "characters", "facts of characters", "entities of characters"
CONCEPTS, RELATIONS = "concepts of characters", "relations to concepts"


KIND = "character"
WATCHES = (
    Watch(
        "profiles.Character",
        KIND,
        "'character:' || {0}.id",
        ("live_revision_id", "name"),
        when="{0}.live_revision_id IS NOT NULL",
    ),
    Watch(
        "profiles.LearnedFact",
        KIND,
        "'character:' || {0}.character_id",
        ("predicate_id", "object", "confidence", "state", "pinned"),
        row="{0}.character_id",
    ),
)


class SheetProjector(Projector):
    """Projects live sheets."""

    def waiting(self) -> list[str]:
        """Characters whose live sheet, with what they learned, isn't in the graph yet."""
        return sorted(Change.objects.owners("character:"))

    def project(self, owner: str, renew: Renew = no_lease) -> None:
        """Write the live sheet of `owner` in one transaction, then make its vectors."""
        changes = Change.objects.of(owner, KIND)
        character = Character.objects.select_related("live_revision").get(pk=owner.partition(":")[2])
        revision = character.live_revision
        if revision:
            ensure_schema()
            wiring.graph().write_all(_statements(character, revision))
            try:
                renew()
            except LeaseLostError:  # an older sheet may have been written over a newer one
                Change.objects.note(owner, KIND, changes.rows)
                raise
            vectors.ensure(revision, renew)
            vectors.ensure_learned(character, renew)
        changes.done()

    def compare(self, store: Store) -> Iterator[Comparison]:
        """Characters whose facts differ, that are missing, or that nobody knows any more."""
        if store == "graph":
            yield from joined(_comparisons())

    def drop(self, store: Store) -> None:
        """Delete all characters with their entities."""
        if store == "graph":
            for statement in (DROP_ENTITIES, relations.DROP_CONCEPTS, DROP_CHARACTERS):
                while wiring.graph().write(statement)[0]["deleted"]:
                    continue

    def note_all(self, store: Store) -> None:
        """Let every live sheet be written again."""
        if store == "graph":
            for character in Character.objects.exclude(live_revision=None):
                Change.objects.note(character.graph_id, KIND, [character.pk])


def fact_id(character: str, fact: Fact) -> str:
    """A fact's id in the graph: unique over all characters, so that a clone can't collide."""
    return f"{character}/fact:{fact.id}"


def entity_key(text: str) -> str:
    """Under which key an owner's entities are the same."""
    return " ".join(text.casefold().split())


def _row(character: str, fact: Fact, confidence: float = 1.0) -> dict[str, Any]:
    key = entity_key(fact.object)
    return {
        "id": fact_id(character, fact),
        "predicate": fact.predicate,
        "object": fact.object,
        "tier": "learned" if is_learned(fact.id) else "core",
        "confidence": confidence,
        "key": key,
        "entity": f"{character}/entity:{key}",
    }


def related(character: str, sheet: Sheet, learned: Sequence[Fact] = ()) -> list[dict[str, Any]]:
    """The edges from her facts' entities to her concepts."""
    facts = (*sheet.facts, *learned)
    return relations.wanted(character, sheet, facts, {fact.id: _row(character, fact)["entity"] for fact in facts})


def _wanted(character: Character, sheet: Sheet) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The edges of her facts, and those to her concepts."""
    owner, learned = character.graph_id, character.learned.in_use(sheet)
    rows = [_row(owner, fact) for fact in sheet.facts] + [_row(owner, each.fact, each.confidence) for each in learned]
    return rows, related(owner, sheet, [each.fact for each in learned])


def _statements(character: Character, revision: Revision) -> list[tuple[str, dict[str, Any]]]:
    """What turns the graph as it is into the sheet; edges that changed are deleted and made anew."""
    owner = character.graph_id
    wanted, related_to = _wanted(character, revision.sheet)
    right = _right(wanted, wiring.graph().read(FACTS, character=owner))
    new = [row for row in wanted if row["id"] not in right]
    return [
        (WRITE_CHARACTER, {"character": owner, "name": character.name}),
        (DELETE_FACTS, {"character": owner, "right": sorted(right)}),
        (WRITE_ENTITIES, {"character": owner, "rows": wanted}),
        (WRITE_FACTS, {"character": owner, "rows": new}),
        (DELETE_LOOSE_ENTITIES, {"character": owner}),
        *relations.statements(owner, related_to, wiring.graph().read(relations.RELATIONS, character=owner)),
        (MARK_REVISION, {"character": owner, "revision": revision.number, "facts": len(wanted)}),
    ]


def _right(wanted: list[dict[str, Any]], there: list[dict[str, Any]]) -> set[str]:
    """Ids of the edges that are as they should be, and there once."""
    edges = Counter(map(_edge, there))
    ids = Counter(row["id"] for row in there)
    return {row["id"] for row in wanted if edges[_edge(row)] == ids[row["id"]] == 1}


def _edge(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["id"], row["predicate"], row["object"], row["tier"], row["confidence"], row["entity"]


def _comparisons() -> Iterator[Comparison]:
    rows = {character.graph_id: character for character in Character.objects.select_related("live_revision")}
    found = {row["id"] for row in wiring.graph().scan(ALL_CHARACTERS)}
    for owner, character in rows.items():
        if character.live_revision is not None:
            yield from _compare_character(owner, character, character.live_revision)
    for owner in sorted(found - rows.keys()):
        yield Comparison(NODES, Digest(), Digest.of([owner]), [Difference(owner, "character", "none", "one")])


def _compare_character(owner: str, character: Character, revision: Revision) -> Iterator[Comparison]:
    wanted, related_to = _wanted(character, revision.sheet)
    node = next(iter(wiring.graph().scan(NODE, character=owner)), None)
    expected = {"name": character.name, "revision": revision.number, "facts": len(wanted)}
    yield Comparison(
        NODES,
        Digest.of([(owner, expected)]),
        Digest.of([(owner, {name: node[name] for name in expected})] if node else []),
        _differences_of_node(owner, expected, node),
    )
    edges = Counter(map(_edge, wanted)), Counter(map(_edge, wiring.graph().scan(FACTS, character=owner)))
    yield _compare_counts(owner, EDGES, "edges", *edges, told=node is not None)
    entities = {(row["entity"], row["key"], row["key"]) for row in wanted}
    found = [
        (row["id"], row["key"], entity_key(row["name"] or "")) for row in wiring.graph().scan(ENTITIES, character=owner)
    ]
    yield _compare_counts(owner, NAMED, "entities", Counter(entities), Counter(found), told=node is not None)
    yield from _compare_concepts(owner, related_to, told=node is not None)


def _compare_concepts(owner: str, wanted: list[dict[str, Any]], *, told: bool) -> Iterator[Comparison]:
    named = Counter({(row["concept"], row["name"]) for row in wanted})
    found = Counter((row["id"], row["name"]) for row in wiring.graph().scan(relations.CONCEPTS, character=owner))
    yield _compare_counts(owner, CONCEPTS, "concepts", named, found, told=told)
    edges = Counter(map(relations.edge, wanted))
    there = Counter(map(relations.edge, wiring.graph().scan(relations.RELATIONS, character=owner)))
    yield _compare_counts(owner, RELATIONS, "relations", edges, there, told=told)


def _differences_of_node(owner: str, expected: dict[str, Any], node: dict[str, Any] | None) -> list[Difference]:
    if node is None:
        return [Difference(owner, "character", expected["name"], "none")]
    return [
        Difference(owner, name, str(value), str(node[name])) for name, value in expected.items() if node[name] != value
    ]


def _compare_counts(
    owner: str, kind: str, what: str, expected: Counter[Any], found: Counter[Any], *, told: bool
) -> Comparison:
    """One difference with how many are missing, and how many there are that shouldn't be; none if it isn't `told`."""
    missing, extra = (expected - found).total(), (found - expected).total()
    differences = []
    if told and (missing or extra):
        counts = f"{found.total()}: {missing} missing, {extra} that should not be there"
        differences.append(Difference(owner, what, str(expected.total()), counts))
    return Comparison(kind, Digest.of(expected.elements()), Digest.of(found.elements()), differences)
