"""Project a character's live sheet and learned facts into the graph: written in full, compared in full.

    (:Character {id, owner, name, revision, facts})
        -[:FACT {id, predicate, object, tier, confidence}]->(:Entity {id, owner, key, name})
        -[:RELATED_TO {id, weight}]->(:Concept {id, owner, name})

The database is authoritative; these statements are idempotent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from characters.domain.sheet import Fact, Sheet, is_learned
from characters.profiles import relations, vectors
from characters.profiles.models import Character, Revision
from kgadmin.projection.comparison import Comparison, compare_things, joined
from kgadmin.projection.models import Change, Lease, LeaseLostError
from kgadmin.projection.services import Projector, Renew, Store, ensure_schema, no_lease
from kgadmin.projection.triggers import Watch
from kgadmin.stores import wiring

SCHEMA = (
    "CREATE CONSTRAINT character_id IF NOT EXISTS FOR (c:Character) REQUIRE c.id IS UNIQUE",
    "CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (e:Entity) REQUIRE e.id IS UNIQUE",
    relations.CONSTRAINT,
)

# The only statement by which a turn reads a character: it returns only the :Character, its facts' entities, and their
# concepts.
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

# Also deletes what the next statement creates: the driver repeats a transaction whose commit it didn't see.
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

# Last: readers trust the graph only if revision and count match the live sheet.
MARK_REVISION = "MATCH (c:Character {id: $character}) SET c.revision = $revision, c.facts = $facts"

PROPERTIES = ("predicate", "object", "tier", "confidence", "entity")
"""Properties of a fact's edge that are compared, beside its id."""
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
        """Return the characters whose live sheet or learned facts aren't in the graph yet."""
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
        """Compare characters: facts that differ, missing characters, and unknown ones."""
        if store == "graph":
            yield from joined(_comparisons())

    def drop(self, store: Store) -> None:
        """Delete all characters with their entities."""
        if store == "graph":
            for statement in (DROP_ENTITIES, relations.DROP_CONCEPTS, DROP_CHARACTERS):
                while wiring.graph().write(statement)[0]["deleted"]:
                    continue

    def note_all(self, store: Store) -> None:
        """Note every live sheet to be written again."""
        if store == "graph":
            for character in Character.objects.exclude(live_revision=None):
                Change.objects.note(character.graph_id, KIND, [character.pk])


def fact_id(character: str, fact: Fact) -> str:
    """Return a fact's id in the graph: unique over all characters, so clones can't collide."""
    return f"{character}/fact:{fact.id}"


def entity_key(text: str) -> str:
    """Return the key by which entities of an owner are identified."""
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
    """Return the edges from the facts' entities to the concepts."""
    facts = (*sheet.facts, *learned)
    return relations.wanted(character, sheet, facts, {fact.id: _row(character, fact)["entity"] for fact in facts})


def _wanted(character: Character, sheet: Sheet) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    owner, learned = character.graph_id, character.learned.in_use(sheet)
    rows = [_row(owner, fact) for fact in sheet.facts] + [_row(owner, each.fact, each.confidence) for each in learned]
    return rows, related(owner, sheet, [each.fact for each in learned])


def _statements(character: Character, revision: Revision) -> list[tuple[str, dict[str, Any]]]:
    """Return the statements that update the graph to the sheet; changed edges are deleted and created again."""
    owner = character.graph_id
    wanted, related_to = _wanted(character, revision.sheet)
    right = relations.unchanged(wanted, wiring.graph().read(FACTS, character=owner), PROPERTIES)
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


def _comparisons() -> Iterator[Comparison]:
    rows = {character.graph_id: character for character in Character.objects.select_related("live_revision")}
    stored = {row["id"] for row in wiring.graph().scan(ALL_CHARACTERS)}
    for owner, character in rows.items():
        if character.live_revision is not None:
            yield from _compare_character(owner, character, character.live_revision)
    for owner in sorted(stored - rows.keys()):
        yield compare_things(owner, "characters", [], [(owner, {})])


def _compare_character(owner: str, character: Character, revision: Revision) -> Iterator[Comparison]:
    wanted, related_to = _wanted(character, revision.sheet)
    node = {"id": owner, "name": character.name, "revision": revision.number, "facts": len(wanted)}
    stored = [{"id": owner, **row} for row in wiring.graph().scan(NODE, character=owner)]
    yield _compared(owner, "characters", ("name", "revision", "facts"), [node], stored)
    kinds: tuple[tuple[str, str, tuple[str, ...], list[dict[str, Any]]], ...] = (
        ("facts of characters", FACTS, PROPERTIES, wanted),
        ("entities of characters", ENTITIES, ("key",), _distinct(wanted, "entity")),
        ("concepts of characters", relations.CONCEPTS, ("name",), _distinct(related_to, "concept")),
        ("relations to concepts", relations.RELATIONS, relations.PROPERTIES, related_to),
    )
    for kind, statement, properties, expected in kinds:
        rows = list(wiring.graph().scan(statement, character=owner))
        yield _compared(owner, kind, properties, expected, rows)


def _compared(
    owner: str, kind: str, properties: Sequence[str], expected: list[dict[str, Any]], stored: list[dict[str, Any]]
) -> Comparison:
    things = ([(row["id"], {name: row[name] for name in properties}) for row in rows] for rows in (expected, stored))
    return compare_things(owner, kind, *things)


def _distinct(rows: list[dict[str, Any]], node: str) -> list[dict[str, Any]]:
    """Return the nodes that these edges lead to, each once, under its own id."""
    return list({row[node]: row | {"id": row[node]} for row in rows}.values())


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of writing the live sheet to the graph. Until it is done, turns read the document."""

    revision: int
    is_done: bool
    """Whether it is in the graph, with its vectors."""
    problem: str = ""
    """Why it is stuck, as a sentence; it is retried automatically."""


def publishing(character: Character) -> Progress | None:
    """Return the progress of the live sheet, or None if nothing was published."""
    revision = character.live_revision
    problem = Lease.objects.filter(owner=character.graph_id).values_list("error", flat=True).first() or ""
    return Progress(revision.number, not character.waits_for_graph, problem) if revision else None
