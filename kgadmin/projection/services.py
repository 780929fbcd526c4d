"""The projector's loop: what the database says is written into the graph and the vectors.

Every change of a row that they hold is noted (`Change`) in the same transaction. The note is deleted once the row is
written, so after a crash at any point the next sweep does the work again; values are absolute, so writing twice changes
nothing.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from kgadmin.jobs.runner import beating
from kgadmin.projection.comparison import Comparison, Difference
from kgadmin.projection.models import Change, Lease, LeaseLostError
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

Store = Literal["graph", "vectors"]
STORES: tuple[Store, ...] = ("graph", "vectors")
REBUILD = "rebuild"
"""Kind of the change that asks for rebuilding a store; the store is its owner."""

Renew = Callable[[], None]
"""Called between the steps of long work; raises `LeaseLostError` once another process has taken over."""


def no_lease() -> None:
    """Renew nothing, for work that nobody else can do at the same time."""


class Projector(Protocol):
    """Projects the owners of one kind. Every method that asks an engine raises `StoreError`."""

    @abstractmethod
    def waiting(self) -> list[str]:
        """Return the owners that changed since they were written."""

    @abstractmethod
    def project(self, owner: str, renew: Renew = no_lease) -> None:
        """Write the owner's changed rows into the stores, as they are now."""

    @abstractmethod
    def compare(self, store: Store) -> Iterator[Comparison]:
        """Compare the database with `store`, one kind of thing after the other."""

    @abstractmethod
    def drop(self, store: Store) -> None:
        """Delete everything that `store` holds of this projector's kinds."""

    @abstractmethod
    def note_all(self, store: Store) -> None:
        """Note everything that `store` should hold as changed."""


def projectors() -> Iterator[Projector]:
    """Return the projectors that the settings name."""
    return (import_string(name)() for name in settings.PROJECTORS)


def ensure_schema() -> None:
    """Make the graph's constraints and indexes, those of every feature, before anything is written.

    The embedded server leaves rows that are written while an index is made out of the index. So projectors mustn't make
    indexes when they come to write: another one may be writing at that moment.
    """
    wiring.graph().ensure_schema([each for name in settings.GRAPH_SCHEMAS for each in import_string(name)])


def sweep() -> int:
    """Empty the stores to be rebuilt, then project every waiting owner; return how many owners succeeded."""
    for store in waiting_stores():
        _under_lease(store, partial(_begin_again, store))
    return sum(project(projector, owner) for projector in projectors() for owner in projector.waiting())


def project(projector: Projector, owner: str) -> bool:
    """Project one owner under its lease. An engine's failure is saved on the lease, and retried later."""
    return _under_lease(owner, partial(projector.project, owner))


def rebuild(store: Store) -> None:
    """Let the next sweep empty and rebuild the store; an interrupted rebuild is resumed."""
    Change.objects.note(store, REBUILD, [0])


def waiting() -> list[str]:
    """Return what is still to be projected: stores to rebuild, and waiting owners."""
    return [*waiting_stores(), *(owner for projector in projectors() for owner in projector.waiting())]


def waiting_stores() -> list[Store]:
    """Return the stores to rebuild."""
    return [store for store in STORES if Change.objects.waits(store)]


def compare(store: Store) -> Iterator[Comparison]:
    """Compare the database with `store`."""
    return (comparison for projector in projectors() for comparison in projector.compare(store))


def drift() -> list[Difference]:
    """Return all differences between the projections and the database."""
    return [each for store in STORES for comparison in compare(store) for each in comparison.differences]


def _under_lease(owner: str, work: Callable[[Renew], None]) -> bool:
    lease = Lease.take(owner)
    if lease is None:
        return False
    try:
        with beating(lease.beat, f"the projection of {owner}"):
            work(lease.renew)
    except LeaseLostError:
        return False
    except StoreError as error:
        lease.release_failed(error.message)
        return False
    lease.release()
    return True


def _begin_again(store: Store, renew: Renew) -> None:
    """Empty the store, then note everything: rows written in between are written once more."""
    asked = Change.objects.of(store, REBUILD)
    try:
        for projector in projectors():
            projector.drop(store)
            renew()
    except LeaseLostError:  # another process may have written what was dropped just now
        rebuild(store)
        raise
    for projector in projectors():
        projector.note_all(store)
    asked.done()
