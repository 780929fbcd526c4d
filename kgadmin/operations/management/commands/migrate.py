"""`manage.py migrate`, which copies an older database before it changes it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from kgadmin.embedded.backup import copy_database
from kgadmin.embedded.errors import StartError

TOO_OLD = (
    "This database is of an older version than this program can upgrade. Start the version of November 2026 on it once "
    "(its last commit before “One migration per app”), then this one again. Nothing was changed."
)


class Command(migrate.Command):
    """Django's own. A SQLite file that is behind is copied beside itself first; PostgreSQL has tools of its own."""

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if _is_too_old(connection):
            raise CommandError(TOO_OLD)
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


def _is_too_old(connection: BaseDatabaseWrapper) -> bool:
    """Whether only some of the migrations that one replaces were applied: Django would pass over that app."""
    loader = MigrationLoader(connection, load=False)
    loader.load_disk()
    applied = set(MigrationRecorder(connection).applied_migrations())
    replaced = [set(migration.replaces) & applied for migration in loader.disk_migrations.values()]
    whole = [set(migration.replaces) for migration in loader.disk_migrations.values()]
    return any(found and found != wanted for found, wanted in zip(replaced, whole, strict=True))
