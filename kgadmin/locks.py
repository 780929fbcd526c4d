"""Transactions that tell whoever comes second a sentence, where the database gave up waiting for somebody else."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction

BUSY = "Someone else was changing this at the same moment, so nothing was done. Try again."
_GAVE_UP = {"40P01", "40001", "55P03"}
"""PostgreSQL's codes: a deadlock, transactions that can't be put in order, a lock that isn't to be had."""


@contextmanager
def atomic(refused: type[Exception]) -> Iterator[None]:
    """A transaction that raises `refused` where it had to give up; inside of another one, that one does."""
    is_inside = connection.in_atomic_block
    try:
        with transaction.atomic():
            yield
    except OperationalError as error:
        if is_inside or not _gave_up(error):
            raise
        raise refused(BUSY) from error


def _gave_up(error: OperationalError) -> bool:
    """SQLite has one writer at a time, and waits for it 20 s."""
    return getattr(error.__cause__, "sqlstate", None) in _GAVE_UP or "database is locked" in str(error)
