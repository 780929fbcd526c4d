"""A person whom Oskar knows: Kirsten, her cat Luna, her mother's boat, and what she said before."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from characters.domain import people
from characters.domain.entities import Entity, key, of_facts
from characters.domain.people import PERSON_PREDICATES, EntityKind, KnownFact
from characters.domain.sheet import Sheet
from characters.turn.messages import MessageIndex, PastMessage
from characters.turn.request import Edge, Known, Readers, Related, TurnRequest
from characters.turn.user_facts import known_of
from tests.characters.turn.world import NOW, World, embed

PERSON = "person:4"

KINDS: Mapping[str, EntityKind] = {"luna": "pet", "mother": "person", "torvik": "place", "ask lindqvist": "person"}
ALIASES: Mapping[str, tuple[str, ...]] = {"luna": ("my cat",), "mother": ("my mother", "my mum")}


LAST_SEEN: dict[str, datetime] = {}
"""When each fact was last seen, as the graph has it."""


def fact(
    number: int, predicate: str, text: str, subject: str = "", *, days: float = 0, mentions: int = 1, sure: float = 0.9
) -> KnownFact:
    """A current fact, last seen so many days ago."""
    LAST_SEEN[f"user_fact:{number}"] = NOW - timedelta(days=days)
    return KnownFact(
        id=f"user_fact:{number}",
        subject=f"entity:{key(subject)}" if subject else "",
        subject_name=subject,
        predicate=predicate,
        object=f"entity:{key(text)}",
        object_name=text,
        text=text,
        confidence=sure,
        mentions=mentions,
    )


KIRSTEN = (
    fact(1, "HAS_PET", "Luna"),
    fact(2, "IS_A", "cat", "Luna"),
    fact(3, "LIVES_IN", "Halmstad", days=3),
    fact(4, "HAS_MOTHER", "mother"),
    fact(5, "OWNS", "boat", "mother", days=2),
    fact(6, "WORKS_AS", "glass blower", days=60),
    fact(7, "VALUES", "family", days=5),
    fact(8, "LIKES", "the town hall's bells", days=5),
)


def known(facts: Sequence[KnownFact] = KIRSTEN, sheet: Sheet | None = None) -> Known:
    """What Oskar knows of her, as the reader would give it."""
    names = {(item.object, item.object_name) for item in facts}
    names |= {(item.subject, item.subject_name) for item in facts if item.subject}
    entities = tuple(
        Entity(id_, name, KINDS.get(key(name), "thing"), ALIASES.get(key(name), ())) for id_, name in sorted(names)
    )
    sentences = [people.sentence("Kirsten", item.predicate, item.text, subject=item.subject_name) for item in facts]
    of_sheet = of_facts(sheet.facts, "character:7") if sheet else ()
    return known_of(facts, entities, embed(sentences) if facts else None, of_sheet)


def walk(facts: Sequence[KnownFact] = KIRSTEN, of_sheet: Sequence[str] = ()) -> Any:
    """The graph of these facts, walked in memory as the graph's reader walks it."""

    def read(request: TurnRequest, seeds: Sequence[str], hops: int, limit: int) -> list[Edge]:
        edges: dict[str, Edge] = {}
        frontier = list(seeds)
        reached = set(frontier)
        for depth in range(hops):
            rows = [item for item in facts if {item.subject, item.object} & set(frontier)]
            frontier = []
            for item in sorted(rows, key=lambda fact: (-LAST_SEEN[fact.id].timestamp(), fact.id)):
                subject = item.subject or request.person_id
                edge = Edge(item.id, subject, item.object, depth, item.mentions, LAST_SEEN[item.id], item.confidence)
                edges.setdefault(item.id, edge)
                frontier += [end for end in (item.subject, item.object) if end and end not in reached]
                reached |= set(frontier)
        own_edges = [Edge(seed, request.character, f"{seed}/object", 0) for seed in seeds if seed in of_sheet]
        return [*edges.values(), *own_edges][:limit]

    return read


def past(*messages: tuple[str, float] | tuple[str, float, str]) -> dict[str, Any]:
    """Readers of messages as (text, days ago) or (text, days ago, reply), each in a conversation of its own day."""
    rows = [
        PastMessage(place, round(item[1]), NOW - timedelta(days=item[1]), item[0], *item[2:])
        for place, item in enumerate(messages, start=1)
    ]
    index = MessageIndex.of(rows, list(embed([item.text for item in rows])) if rows else [])
    by_id = {item.id: item for item in rows}
    return {
        "past_messages": lambda request: index,
        "messages": lambda request, ids: {id_: by_id[id_] for id_ in ids},
    }


def readers(world: World, **changes: Any) -> Readers:
    """Readers of a world in which Oskar knows Kirsten."""
    questions = {name: embed(item.questions) for name, item in PERSON_PREDICATES.items() if item.questions}
    plain = world.readers(known=lambda request: known(), walk=walk(), person_questions=lambda: questions)
    return replace(plain, **changes)


def asked(world: World, message: str, **changes: Any) -> TurnRequest:
    """Kirsten, whom he knows, says `message`."""
    return world.request(message, **{"person_id": PERSON, **changes})


def related(*edges: tuple[int, int, str], sure: float = 0.9) -> Any:
    """Relations as (number of the earlier message, number of the later one, class)."""

    def read(request: TurnRequest, ids: Sequence[str]) -> list[Related]:
        rows = [Related(f"message:{a}", f"message:{b}", name, sure) for a, b, name in edges]  # type: ignore[arg-type]
        return [row for row in rows if {row.earlier, row.later} & set(ids)]

    return read


def at(days: float) -> datetime:
    """So many days before now."""
    return NOW - timedelta(days=days)
