"""Which entities are named together, how often and when last: counted in the database, absolutely.

A count has no row of its own: it is written in the transaction that writes or deletes one of its messages, for every
pair that the message names now or named before.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from django.db.models import Count, F, Max

from characters.memory.models import Mention
from characters.memory.projection import statements
from characters.memory.projection.rows import Pair, Values
from kgadmin.stores import wiring
from kgadmin.stores.statement import Statement


def edges(person: int, among: Iterable[int] | None = None) -> dict[Pair, Values]:
    """The edges of all pairs of a person's entities, or of the pairs among some."""
    together = {"message__mentions__entity_id__gt": F("entity_id"), "message__mentions__entity__person_id": person}
    if among is not None:
        entities = sorted(among)
        together |= {"entity_id__in": entities, "message__mentions__entity_id__in": entities}
    rows = Mention.objects.filter(
        message__conversation__person_id=person, message__place__isnull=False, entity__person_id=person, **together
    )
    ends = ("entity_id", "message__mentions__entity_id", "message__conversation__character_id")
    counted = rows.order_by().values_list(*ends).annotate(Count("message_id"), Max("message__at"))
    return {
        (pair := Pair(first, second, character)): {
            "id": pair.id,
            "start": f"entity:{first}",
            "end": f"entity:{second}",
            "character": f"character:{character}",
            "count": count,
            "last_seen": last.isoformat(),
        }
        for first, second, character, count, last in counted
    }


def rewriting(person: int, pairs: set[Pair]) -> list[Statement]:
    """What makes the edges of these pairs say what the rows say."""
    if not pairs:
        return []
    there = edges(person, {entity for pair in pairs for entity in (pair.first, pair.second)})
    ids = sorted(pair.id for pair in pairs)
    rows = [there[pair] for pair in pairs if pair in there]
    return [
        (statements.DELETE_EDGES["CO_MENTIONED"], {"ids": ids}),
        (statements.CREATE_CO_MENTIONED, {"rows": rows}),
    ]


def named_in_graph(ids: Sequence[str]) -> dict[str, set[Pair]]:
    """The pairs that these messages name in the graph, as it is."""
    rows = wiring.graph().scan(statements.MENTIONED, ids=list(ids))
    return {row["message"]: pairs_of(row["entities"], row["character"]) for row in rows}


def pairs_of(entities: Iterable[str], character: str) -> set[Pair]:
    """All pairs of "entity:5", "entity:7" ..., for "character:3"."""
    keys = sorted({int(each.partition(":")[2]) for each in entities})
    heard_by = int(character.partition(":")[2])
    return {Pair(first, second, heard_by) for first, second in combinations(keys, 2)}
