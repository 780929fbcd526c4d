"""The projector's loop: what the database says is written into the graph and the vectors.

Rows carry a stale mark, set in the transaction that changes them. A crash at any point leaves the mark, so the next
sweep does the work again; values are absolute, so doing it twice changes nothing.
"""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from kgadmin.projection.models import Lease
from kgadmin.stores.errors import StoreError


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that a projection holds otherwise than the database."""

    owner: str
    what: str
    expected: str
    found: str


class Projector(Protocol):
    """Projects the owners of one kind."""

    @abstractmethod
    def stale(self) -> list[str]:
        """Owners with something to project."""

    @abstractmethod
    def project(self, owner: str) -> None:
        """Write what is stale and clear the marks whose version is still the one that was read."""

    @abstractmethod
    def drift(self) -> list[Difference]:
        """Where the projection differs from the database. Raises `StoreError`."""


def projectors() -> Iterator[Projector]:
    """The projectors that the settings name."""
    return (import_string(name)() for name in settings.PROJECTORS)


def sweep() -> int:
    """Project every stale owner that nobody else projects; the number of those that went well."""
    return sum(project(projector, owner) for projector in projectors() for owner in projector.stale())


def project(projector: Projector, owner: str) -> bool:
    """Project one owner under its lease. An engine's failure is kept on the lease, and tried again later."""
    lease = Lease.take(owner)
    if lease is None:
        return False
    try:
        projector.project(owner)
    except StoreError as error:
        lease.release_failed(error.message)
        return False
    lease.release()
    return True


def drift() -> list[Difference]:
    """Everything in which the projections differ from the database."""
    return [difference for projector in projectors() for difference in projector.drift()]
