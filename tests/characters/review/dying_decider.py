"""A process that ends itself at one point of a decision, or of the projection that follows it."""

import os
import signal
from collections.abc import Callable
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone
from neo4j import ManagedTransaction

from characters.profiles import projection, vectors
from characters.profiles import services as profiles
from characters.profiles.learned import services as learning
from characters.profiles.models import Character, LearnedFact
from characters.review import decisions
from characters.review.decisions import ProposalVersion
from characters.review.models import Decision, Proposal
from kgadmin.accounts.models import User
from kgadmin.audit.models import Detail, Entry
from kgadmin.projection import services
from kgadmin.projection.models import Batch, Lease
from kgadmin.projection.tasks import sweep
from kgadmin.stores.graph import Graph
from tests.characters.profiles import sheets
from tests.kgadmin.knowledge.ingestion import use_hash_embedder

POINTS: dict[str, tuple[Any, str, str]] = {
    "before the log": (Entry, "save", ""),
    "in the log": (Detail, "save", ""),
    "before the commit": (BaseDatabaseWrapper, "_commit", ""),
    "after the commit": (sweep, "delay", ""),
    "before the graph": (Graph, "write_all", projection.WRITE_CHARACTER),
    "after the deletes": (ManagedTransaction, "run", projection.DELETE_FACTS),
    "before the graph's commit": (ManagedTransaction, "run", projection.MARK_REVISION),
    "before the vectors": (vectors, "ensure_learned", ""),
    "before the mark": (Batch, "done", ""),
    "after the mark": (Lease, "release", ""),
}
"""(owner, attribute, Cypher): struck before the attribute is called, or after a transaction ran that Cypher."""


def main(work: str, point: str) -> None:
    use_hash_embedder()
    _strike(*POINTS[point])
    WORKS[work]()


def _approve() -> None:
    row = Proposal.objects.get()
    decisions.approve(ProposalVersion(row.pk, row.version), by=User.objects.get(username="operator"))


def _decay() -> None:
    LearnedFact.objects.update(learned_at=timezone.now() - 2 * learning.DECAYS_AFTER)
    learning.decay(timezone.now())


def _change(state: LearnedFact.State) -> None:
    learning.change(LearnedFact.objects.get(), state, by=None)


def _publish(*facts: tuple[str, str]) -> None:
    profiles.publish(Character.objects.get(), sheet=sheets.sheet(*facts), by=None)


WORKS: dict[str, Callable[[], object]] = {
    "approve": _approve,
    "undo": lambda: decisions.undo(Decision.objects.all()[0], by=User.objects.get(username="operator")),
    "archive": lambda: _change(LearnedFact.State.ARCHIVED),
    "restore": lambda: _change(LearnedFact.State.ACTIVE),
    "decay": _decay,
    "suspend": lambda: _publish(("FAVORITE_CORAL", "brain coral")),
    "resume": _publish,
    "sweep": services.sweep,
}


def _strike(owner: Any, name: str, statement: str) -> None:
    original = getattr(owner, name)

    def struck(*args: Any, **kwargs: Any) -> Any:
        if name == "run":
            result = original(*args, **kwargs)
            if args[1] == statement:
                os.kill(os.getpid(), signal.SIGKILL)
            return result
        if not statement or args[1][0][0] == statement:
            os.kill(os.getpid(), signal.SIGKILL)
        return original(*args, **kwargs)

    setattr(owner, name, struck)
