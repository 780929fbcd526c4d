"""`manage.py migrate`, which copies an older database before it changes it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from kgadmin.embedded.backup import copy_database
from kgadmin.embedded.process import StartError
from kgadmin.operations.schema import why_not


class Command(migrate.Command):
    """Django's command. A SQLite file that is behind is copied beside itself first; PostgreSQL has tools of its own."""

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if sentence := why_not(connection):
            raise CommandError(sentence)
        if connection.vendor == "sqlite" and not (options["plan"] or options["check_unapplied"]):
            self._copy(connection)
        super().handle(*args, **options)

    def _copy(self, connection: BaseDatabaseWrapper) -> None:
        executor = MigrationExecutor(connection)
        behind = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if not behind or not executor.loader.applied_migrations:
            return
        database = Path(connection.settings_dict["NAME"])
        copy = database.with_name(f"{database.stem}-before-{datetime.now(UTC):%Y%m%d-%H%M%S}.sqlite3")
        try:
            copy_database(database, copy)
        except StartError as error:
            raise CommandError(f"{error} Nothing was changed.") from error
        self.stdout.write(f"an older one, copied to {copy} before its upgrade ({len(behind)} steps)")
