"""A heart that beats beside long work: whoever is busy for long is no dead one, and a dead one is missed soon."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from django.db import DatabaseError, InterfaceError, connections

HEARTBEAT_S = 2.0

log = logging.getLogger(__name__)


@contextmanager
def beating(beat: Callable[[], object], name: str) -> Iterator[None]:
    """Call `beat`, which writes to the database, every 2 s from a thread."""
    stop = Event()
    thread = Thread(target=_beat, args=(beat, name, stop), name=f"heart of {name}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _beat(beat: Callable[[], object], name: str, stop: Event) -> None:
    try:
        while not stop.wait(HEARTBEAT_S):
            try:
                beat()
            except (DatabaseError, InterfaceError):
                log.warning("The heart of %s could not be written; trying again.", name, exc_info=True)
                connections.close_all()  # a server that was restarted knows this connection no more
    finally:
        connections.close_all()
