"""A projector for tests of the loop: it writes into a list."""

from kgadmin.projection.services import Difference, Projector
from kgadmin.stores.errors import StoreError


class Shelf(Projector):
    """What is stale, what was written, and which owners the engine refuses; the same for every instance."""

    waiting: list[str] = []
    written: list[str] = []
    refused: dict[str, StoreError] = {}
    differences: list[Difference | StoreError] = []

    def stale(self) -> list[str]:
        return [owner for owner in self.waiting if owner not in self.written]

    def project(self, owner: str) -> None:
        if owner in self.refused:
            raise self.refused[owner]
        self.written.append(owner)

    def drift(self) -> list[Difference]:
        for each in self.differences:
            if isinstance(each, StoreError):
                raise each
        return [each for each in self.differences if isinstance(each, Difference)]
