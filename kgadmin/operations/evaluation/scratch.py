"""A database that lives as long as an evaluation: what is imported there is nowhere else."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.core.management.commands.migrate import Command as Migrate
from django.db import connections, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper

from kgadmin.accounts.models import User

ALIAS = "default"


@contextmanager
def empty_database() -> Iterator[None]:
    """An empty one in memory in place of the program's own, which is neither read nor written."""
    there = connections[ALIAS]
    connections[ALIAS] = DatabaseWrapper({**there.settings_dict, "NAME": ":memory:", "OPTIONS": {}}, ALIAS)
    try:
        call_command(Migrate(), verbosity=0)
        yield
    finally:
        connections[ALIAS].close()
        connections[ALIAS] = there


@contextmanager
def nothing_kept() -> Iterator[User]:
    """Somebody who does things that are undone afterwards, and for which no worker is called."""
    with transaction.atomic():
        yield User.objects.create_user("evaluation")
        transaction.set_rollback(True)
