"""Deleting from the graph what the rows have lost."""

from collections import defaultdict
from collections.abc import Sequence

from characters.memory.projection import co_mentions, rows, statements
from characters.memory.projection.rows import Pair
from kgadmin.projection.models import Tombstone
from kgadmin.projection.services import Renew
from kgadmin.stores import wiring
from kgadmin.stores.statement import Statement

BATCH = 200
EDGES = {"user_fact": "FACT", "similarity": "IS_SIMILAR", "relation": "RELATES"}


def bury(owner: str, renew: Renew) -> None:
    """Delete what has a tombstone, then the tombstones; everything of the owner where that is its key."""
    tombstones = list(Tombstone.objects.filter(owner=owner).order_by("pk"))
    if any(tombstone.key == owner for tombstone in tombstones):
        _bury_all_of(owner, renew)
        Tombstone.objects.filter(pk__in=[tombstone.pk for tombstone in tombstones]).delete()
        return
    for start in range(0, len(tombstones), BATCH):
        batch = tombstones[start : start + BATCH]
        _bury_batch(owner, [tombstone.key for tombstone in batch])
        Tombstone.objects.filter(pk__in=[tombstone.pk for tombstone in batch]).delete()
        renew()


def _bury_all_of(owner: str, renew: Renew) -> None:
    for statement in statements.DELETE_SOME_OF_OWNER.values():
        while wiring.graph().write(statement, owner=owner)[0]["deleted"]:
            renew()


def _bury_batch(owner: str, keys: Sequence[str]) -> None:
    kinds: dict[str, list[str]] = defaultdict(list)
    for key in keys:
        kinds[key.partition(":")[0]].append(key)
    deleting: list[Statement] = [
        (statements.DELETE_EDGES[edge], {"ids": kinds[kind]}) for kind, edge in EDGES.items() if kinds[kind]
    ]
    if kinds["entity"]:
        deleting.append((statements.DELETE_NODES["Entity"], {"ids": kinds["entity"]}))
    if kinds["message"]:
        deleting += _burying_messages(owner, kinds["message"])
    if deleting:
        wiring.graph().write_all(deleting)


def _burying_messages(owner: str, ids: Sequence[str]) -> list[Statement]:
    """The messages, and what they made of the counts of entities that they named together."""
    named: set[Pair] = set().union(*co_mentions.named_in_graph(ids).values())
    return [
        (statements.DELETE_NODES["Message"], {"ids": list(ids)}),
        *co_mentions.rewriting(rows.person_id(owner), named),
    ]
