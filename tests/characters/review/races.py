"""Two works at the same moment: from one start, or the second begins when the first is in the middle."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
from django.db import connection, connections
from django.db.backends.sqlite3.base import DatabaseWrapper

from characters.review.decisions import DecidedError
from kgadmin.rest.actions import Refused
from tests.patience import wait_for

PATIENCE_S = 20
WAITING = """
SELECT count(*) FROM pg_locks AS waiting WHERE NOT granted AND EXISTS (
    SELECT 1 FROM pg_locks AS mine JOIN pg_database AS base ON base.oid = mine.database
    WHERE mine.pid = waiting.pid AND base.datname = current_database())
"""


@dataclass(frozen=True)
class Work:
    """What is done, and where its middle is: when it calls `owner.name` for the nth time."""

    do: Callable[[], Any]
    owner: Any
    name: str
    nth: int = 1


def together(*works: Work) -> list[Any]:
    """What each gives back, or the error that says why it wasn't done."""
    start = threading.Barrier(len(works))

    def begin(work: Work) -> Any:
        start.wait(PATIENCE_S)
        return _ended(work)

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(begin, works))


def overtaken(first: Work, second: Work) -> list[Any]:
    """The same; the first goes on when the second is done, or has to wait for it."""
    middle, started = threading.Event(), threading.Event()

    def begin() -> Any:
        assert middle.wait(PATIENCE_S), "the first was never in the middle"
        return _ended(second)

    with ThreadPoolExecutor(1) as threads, pytest.MonkeyPatch.context() as patch:
        _note_start(patch, started)
        later = threads.submit(begin)

        def halfway() -> None:
            middle.set()
            assert wait_for(lambda: later.done() or _waits(started), PATIENCE_S, every=0.01), "the second never came"

        _interrupt(patch, first, halfway)
        done = _ended(first)
        return [done, later.result()]


def _ended(work: Work) -> Any:
    try:
        return work.do()
    except (DecidedError, Refused) as error:
        return error
    finally:
        connections.close_all()


def _interrupt(patch: pytest.MonkeyPatch, work: Work, halfway: Callable[[], None]) -> None:
    original, passes, thread = getattr(work.owner, work.name), count(1), threading.get_ident()

    def interrupted(*args: Any, **kwargs: Any) -> Any:
        if threading.get_ident() == thread and next(passes) == work.nth:
            halfway()
        return original(*args, **kwargs)

    patch.setattr(work.owner, work.name, interrupted)


def _note_start(patch: pytest.MonkeyPatch, started: threading.Event) -> None:
    """SQLite lets nobody begin a transaction that writes while another one does; nothing shows who waits."""
    name, thread = "_start_transaction_under_autocommit", threading.get_ident()
    original = getattr(DatabaseWrapper, name)

    def begin(self: DatabaseWrapper) -> None:
        if threading.get_ident() != thread:
            started.set()
        original(self)

    patch.setattr(DatabaseWrapper, name, begin)


def _waits(started: threading.Event) -> bool:
    if connection.vendor == "sqlite":
        return started.is_set()
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        row = cursor.fetchone()
    return bool(row and row[0])
