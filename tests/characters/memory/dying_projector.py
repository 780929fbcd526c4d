"""A process that ends or stops itself at the n-th pass of one point of a person's projection."""

from typing import Any

from django.conf import settings
from neo4j import ManagedTransaction

from characters.conversations.models import Conversation
from characters.memory.projection import person_pass, statements
from kgadmin.projection import services
from kgadmin.projection.models import Batch, Lease
from kgadmin.projection.tasks import sweep
from kgadmin.stores.graph import Graph
from tests.characters.memory import people
from tests.kgadmin.knowledge.ingestion import use_hash_embedder
from tests.processes import strike_at, striker


def main(work: str, point: str, nth: int, signal_name: str) -> None:
    """`work` is "sweep", or "talk": a message of every person, saved as a turn saves it."""
    use_hash_embedder()
    settings.PROJECTORS = ["characters.memory.projection.PersonProjector"]
    # Small batches: every point is passed several times.
    person_pass.BATCH = 6
    strike = striker(nth, signal_name)
    for place, owner, name, statement in points():
        if point == place:
            strike_at(owner, name, strike, statement, after=place.startswith("after"))
    if work == "sweep":
        services.sweep()
    else:
        for conversation in Conversation.objects.order_by("pk"):
            people.message(conversation, "Something new.", answer="Tell me.")


def points() -> list[tuple[str, Any, str, str]]:
    """(name, owner, attribute, Cypher) of what a turn's saving and its projection do, in order.

    The process is struck when the attribute is called with that Cypher; after the call where the name says so.
    """
    return [
        ("before the kick", sweep, "delay", ""),
        ("before the graph", Graph, "write_all", statements.WRITE_MESSAGES),
        ("after a statement of a batch", ManagedTransaction, "run", statements.WRITE_MESSAGES),
        ("after a batch in the graph", Graph, "write_all", statements.WRITE_MESSAGES),
        ("after an edge's delete", ManagedTransaction, "run", statements.DELETE_EDGES["FACT"]),
        ("after the edges", Graph, "write_all", statements.DELETE_EDGES["RELATES"]),
        ("between graph and mark", Batch, "done", ""),
        ("after the mark", Batch, "done", ""),
        ("before a deletion", Graph, "write_all", statements.DELETE_NODES["Message"]),
        ("after a deletion", Graph, "write_all", statements.DELETE_NODES["Message"]),
        ("before the end", Lease, "release", ""),
    ]
