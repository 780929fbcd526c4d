"""For tests that kill: characters in motion, the sweep as beat runs it, and what must hold in the end."""

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.domain.facts import all_texts
from characters.profiles import projection, services, vectors
from characters.profiles.models import Character, Predicate
from kgadmin.projection import services as projecting
from kgadmin.stores import wiring
from tests.characters.profiles import sheets
from tests.characters.profiles.sheets import sheet

SLUGS = ("ann", "bo", "cy")


def projected_characters() -> None:
    """Three characters whose first sheets are in the graph."""
    for slug in SLUGS:
        sheets.character(
            slug, ("IS_A", "keeper"), ("LIKES", "Rain"), ("LOVES", "plums"), ("HAS_PET", f"a gull of {slug}")
        )
    assert projecting.sweep() == len(SLUGS)


def publish_next(character: Character) -> None:
    """One fact kept, two changed (one in case only), one removed, one new."""
    count = character.revisions.count()
    facts = ("IS_A", "keeper"), ("LIKES", "rain"), ("NOTE", f"I mended {count} nets"), ("FEARS", f"{count} owls")
    services.publish(character, sheet=sheet(*facts), by=None)


def type_next(character: Character) -> parts.Document:
    """Type into her draft: one fact changed, one removed, one new. What the draft says then."""
    value = {"id": "f9", "predicate": "FEARS", "object": "an owl", "questions": []}
    changed = value | {"id": "f2", "predicate": "LIKES", "object": "fog"}
    edits = [Edit("fact:f2", changed), Edit("fact:f3", None), Edit("fact:f9", value)]
    typed: parts.Document = drafts.save(character, edits, by=None).document
    return typed


def assert_whole(revision: int | None = None) -> None:
    """The graph as the live sheets say, nothing double, missing or left over, and every vector made."""
    assert projecting.drift() == []
    live = list(Character.objects.select_related("live_revision"))
    assert revision is None or {character.live_revision.number for character in live} == {revision}  # type: ignore[union-attr]
    facts = [(character, fact) for character in live for fact in character.sheet.facts]  # type: ignore[union-attr]
    entities = {(character.pk, projection.entity_key(fact.object)) for character, fact in facts}
    assert counted("MATCH (n:Character)") == len(live)
    relations = [row for character in live for row in projection.related(character.graph_id, character.sheet)]  # type: ignore[arg-type]
    assert counted("MATCH (:Character)-[n:FACT]->(:Entity)") == len(facts)
    assert counted("MATCH (:Entity)-[n:RELATED_TO]->(:Concept)") == len(relations)
    assert counted("MATCH ()-[n]->()") == len(facts) + len(relations)
    assert counted("MATCH (n:Concept)") == len({row["concept"] for row in relations})
    assert counted("MATCH (n:Entity)") == len(entities)
    for character in live:
        assert character.live_revision is not None
        texts = all_texts(character.live_revision.sheet.facts, Predicate.objects.registry())
        assert list(vectors.read(character.live_revision)) == texts


def counted(pattern: str) -> int:
    return int(wiring.graph().read(f"{pattern} RETURN count(n) AS n")[0]["n"])
