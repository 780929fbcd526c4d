"""A process that ends or stops itself at the n-th pass of one point of a person's projection."""

import os
import signal
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

import time_machine
from django.conf import settings
from django.utils import timezone
from neo4j import ManagedTransaction

from characters.conversations.models import Conversation
from characters.memory.projection import person_pass, statements
from kgadmin.projection import services
from kgadmin.projection.models import LEASE_SECONDS, Batch, Lease
from kgadmin.projection.tasks import sweep
from kgadmin.stores.graph import Graph
from tests.characters.memory import people
from tests.kgadmin.knowledge.ingestion import use_hash_embedder


def main(work: str, point: str, nth: int, signal_name: str) -> None:
    """`work` is "sweep", or "talk": a message of every person, saved as a turn saves it."""
    use_hash_embedder()
    settings.PROJECTORS = ["characters.memory.projection.PersonProjector"]
    # Small batches: every point is passed several times.
    person_pass.BATCH = 6
    passes = count(1)

    def strike() -> None:
        if next(passes) == nth:
            os.kill(os.getpid(), signal.Signals[signal_name])
            # Who was only stopped wakes up when the lease is over, by this process's clock, too.
            time_machine.travel(timezone.now() + timedelta(seconds=LEASE_SECONDS + 1)).start()

    for place, owner, name, statement in points():
        if point == place:
            patch(owner, name, strike, statement, after=place.startswith("after"))
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


def patch(owner: Any, name: str, strike: Callable[[], None], statement: str, *, after: bool) -> None:
    original = getattr(owner, name)

    def struck(*args: Any, **kwargs: Any) -> Any:
        is_it = not statement or _cypher(args) == statement
        if is_it and not after:
            strike()
        result = original(*args, **kwargs)
        if is_it and after:
            strike()
        return result

    setattr(owner, name, struck)


def _cypher(args: tuple[Any, ...]) -> str:
    """Of a call of `Graph.write_all` or `ManagedTransaction.run`."""
    given = args[1]
    return given if isinstance(given, str) else str(given[0][0])
