"""A process that ends or stops itself at the n-th pass of one point of a character's projection."""

from typing import Any

from neo4j import ManagedTransaction

from characters.authoring.drafts import services as drafts
from characters.profiles import projection, vectors
from characters.profiles.models import Character, Draft
from kgadmin.projection import services
from kgadmin.projection.models import Batch, Lease
from kgadmin.projection.tasks import sweep
from kgadmin.stores.graph import Graph
from tests.kgadmin.knowledge.ingestion import use_hash_embedder
from tests.processes import strike_at, striker


def main(work: str, point: str, nth: int, signal_name: str) -> None:
    """`work` is "sweep", or "publish drafts": that of every character."""
    use_hash_embedder()
    strike = striker(nth, signal_name)
    for place, owner, name, statement in points():
        if point in {place, "anywhere"}:
            strike_at(owner, name, strike, statement, after=name == "run")
    if work == "sweep":
        services.sweep()
        return
    for character in Character.objects.order_by("slug"):
        drafts.publish_draft(character, version=drafts.draft_of(character).version, by=None)


def points() -> list[tuple[str, Any, str, str]]:
    """(name, owner, attribute, Cypher) of what a publish and its projection do, in order.

    The process is struck before the attribute is called, or after it ran that Cypher.
    """
    return [
        ("before the revision", drafts, "publish", ""),
        ("before it is live", Character, "go_live", ""),
        ("before the draft follows", Draft, "save", ""),
        ("after the commit", sweep, "delay", ""),
        ("before the graph", Graph, "write_all", projection.WRITE_CHARACTER),
        ("after the deletes", ManagedTransaction, "run", projection.DELETE_FACTS),
        ("before the graph's commit", ManagedTransaction, "run", projection.MARK_REVISION),
        ("before the vectors", vectors, "ensure", ""),
        ("before the mark", Batch, "done", ""),
        ("after the mark", Lease, "release", ""),
    ]
