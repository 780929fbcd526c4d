"""A projector for tests of the loop: it writes into a list."""

from collections.abc import Iterator

from kgadmin.projection.comparison import Comparison, Difference, Digest
from kgadmin.projection.services import Projector, Renew, Store, no_lease
from kgadmin.stores.errors import StoreError


class Shelf(Projector):
    """What waits, what was written, and which owners the engine refuses; the same for every instance."""

    owners: list[str] = []
    written: list[str] = []
    refused: dict[str, StoreError] = {}
    calls: list[str] = []
    differences: list[Difference | StoreError] = []

    def waiting(self) -> list[str]:
        return [owner for owner in self.owners if owner not in self.written]

    def project(self, owner: str, renew: Renew = no_lease) -> None:
        if owner in self.refused:
            raise self.refused[owner]
        self.written.append(owner)

    def compare(self, store: Store) -> Iterator[Comparison]:
        if store == "vectors":
            return
        for error in self.differences:
            if isinstance(error, StoreError):
                raise error
        differences = [each for each in self.differences if isinstance(each, Difference)]
        yield Comparison("books", Digest.of(self.written), Digest.of(self.written), differences)

    def drop(self, store: Store) -> None:
        self.calls.append(f"drop {store}")
        if store in self.refused:
            raise self.refused[store]

    def note_all(self, store: Store) -> None:
        self.calls.append(f"note {store}")
        self.written.clear()
