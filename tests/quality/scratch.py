"""A database, and a graph, that live as long as an evaluation: what is done there is nowhere else."""

import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.commands.migrate import Command as Migrate
from django.db import connections, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper
from pydantic import SecretStr

from kgadmin.accounts.models import User
from kgadmin.embedded import process, servers
from tests import stack
from tests.patience import wait_for

ALIAS = "default"
FIRST_ID = 1_000_000_000
"""Ids begin here, since a process keeps what it read of a sheet, or of a person, by the id."""
START_SECONDS = 60
DATABASE = "evaluation"


@contextmanager
def empty_database() -> Iterator[None]:
    """An empty one in memory in place of the program's own, which is neither read nor written."""
    there = connections[ALIAS]
    connections[ALIAS] = DatabaseWrapper({**there.settings_dict, "NAME": ":memory:", "OPTIONS": {}}, ALIAS)
    try:
        call_command(Migrate(), verbosity=0)
        with connections[ALIAS].cursor() as cursor:
            cursor.execute("DELETE FROM sqlite_sequence")
            cursor.execute(
                "INSERT INTO sqlite_sequence (name, seq) SELECT name, %s FROM sqlite_master WHERE type = 'table'",
                [FIRST_ID],
            )
        yield
    finally:
        connections[ALIAS].close()
        connections[ALIAS] = there


@contextmanager
def scratch_world() -> Iterator[User]:
    """Somebody who does things that are undone afterwards, and for which no worker is called."""
    with transaction.atomic():
        yield User.objects.create_user("evaluation")
        transaction.set_rollback(True)


@contextmanager
def own_graph() -> Iterator[Mapping[str, object]]:
    """The settings that lead to an empty graph server of this evaluation; none where it doesn't come up."""
    password, http, bolt = secrets.token_urlsafe(24), servers.free_port(), servers.free_port()
    with tempfile.TemporaryDirectory(prefix="kgadmin-evaluation-") as name:
        folder = Path(name)
        command = servers.graph_command(folder, http, bolt, password)
        child = process.spawn(command, log=folder / "graph.log", cwd=folder)
        try:
            if wait_for(lambda: servers.graph_answers(http), START_SECONDS):
                servers.create_database(http, password, DATABASE)
                yield {
                    "graph_url": f"bolt://127.0.0.1:{bolt}",
                    "graph_user": "root",
                    "graph_password": SecretStr(password),
                    "graph_database": DATABASE,
                    "graph_read_timeout": 10.0,
                }
            else:
                yield {}
        finally:
            process.stop_all([child], timeout=10)


@contextmanager
def engines_of(fields: Mapping[str, object]) -> Iterator[None]:
    """Let this process use other engines than the program's own."""
    before = settings.CONFIG
    settings.CONFIG = before.model_copy(update=fields)
    stack.forget_engines()
    try:
        yield
    finally:
        stack.forget_engines()
        settings.CONFIG = before
