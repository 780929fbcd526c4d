"""What a turn would wait for, begun before its stage asks: embedding its message while the database is read, the walk
through the graph while the probe runs, and the list of the endpoint's models.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

from characters.turn.ambient import plan_walk
from characters.turn.probe import phrases_of
from characters.turn.request import Edge, Readers, TurnRequest, Vectors
from kgadmin.stores import wiring

_THREADS = ThreadPoolExecutor(8, thread_name_prefix="ahead")

Walk = Callable[[TurnRequest, Sequence[str], int, int], Sequence[Edge]]


class Ahead:
    """Readers that return what was begun, or begin it. A failure of what was begun is the stage's own."""

    def __init__(self, message: str, readers: Readers) -> None:
        self._readers = readers
        self._embedding: Future[Vectors] = _THREADS.submit(self._phrases, message)
        self._walking: Future[Sequence[Edge]] | None = None
        self._walk: tuple[Sequence[str], int, int] = ((), 0, 0)

    def begin_walk(self, request: TurnRequest) -> None:
        """Begin the walk that the stage `ambient` will ask for, which reports what fails here."""
        if request.is_off("ambient"):
            return
        with suppress(Exception):
            planned = plan_walk(request, self._readers.known(request))
            if planned.named:
                self._walk = planned.seeds, planned.hops, planned.nodes
                self._walking = _THREADS.submit(self._readers.walk, request, *self._walk)

    @property
    def readers(self) -> Readers:
        """Return the readers for `assemble`."""
        return replace(self._readers, embed=self._embed, walk=self._edges)

    def _phrases(self, message: str) -> Vectors:
        return self._readers.embed([phrase.text for phrase in phrases_of(message)])

    def _embed(self, texts: Sequence[str]) -> Vectors:
        self._embedding.exception()  # waits; embedded texts are cached then
        return self._readers.embed(texts)

    def _edges(self, request: TurnRequest, seeds: Sequence[str], hops: int, limit: int) -> Sequence[Edge]:
        if self._walking and self._walk == (seeds, hops, limit):
            return self._walking.result()
        return self._readers.walk(request, seeds, hops, limit)


def begin_models(request: TurnRequest) -> None:
    """Begin to ask which models the endpoint has, where one of the personas names one."""
    if any(persona.model for persona in request.sheet.personas):
        wiring.language_model().models()
