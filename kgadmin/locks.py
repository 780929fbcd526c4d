"""Transactions that raise an error with a sentence if the database gave up waiting for a lock."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction

BUSY = "Someone else was changing this at the same moment, so nothing was done. Try again."
_GAVE_UP = {"40P01", "40001", "55P03"}
"""PostgreSQL's codes: a deadlock, a serialization failure, a lock that isn't available."""


@contextmanager
def atomic(refused: type[Exception]) -> Iterator[None]:
    """Open a transaction that raises `refused` if it had to give up; a nested one leaves that to the outermost."""
    is_inside = connection.in_atomic_block
    try:
        with transaction.atomic():
            yield
    except OperationalError as error:
        if is_inside or not _gave_up(error):
            raise
        raise refused(BUSY) from error


def _gave_up(error: OperationalError) -> bool:
    """Return whether the database gave up waiting. SQLite has one writer at a time, and waits 20 s for it."""
    return getattr(error.__cause__, "sqlstate", None) in _GAVE_UP or "database is locked" in str(error)
