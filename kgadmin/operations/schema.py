"""Check which version of the program wrote the database."""

from functools import cache

from django.db import connection as default
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

TOO_OLD = (
    "This database is of an older version than this program can upgrade. Start the version of November 2026 on it once "
    "(its last commit before “One migration per app”), then this one again. Nothing was changed."
)
TOO_NEW = (
    "A newer version of this program has upgraded this database ({names}). Install that version again, or restore a "
    "backup that was made before. Nothing was changed."
)


def why_not(connection: BaseDatabaseWrapper) -> str:
    """Return why this program can't use the database, as a sentence; empty if it can, perhaps after `migrate`."""
    loader = MigrationLoader(connection, load=False)
    loader.load_disk()
    applied = set(MigrationRecorder(connection).applied_migrations())
    known = {*loader.disk_migrations, *(name for row in loader.disk_migrations.values() for name in row.replaces)}
    newer = sorted(f"{app}.{name}" for app, name in applied - known if app in loader.migrated_apps)
    if newer:
        return TOO_NEW.format(names=", ".join(newer[:3]))
    # A squashed migration's originals must all be applied, or none: else Django would skip that app.
    replaced = [set(migration.replaces) for migration in loader.disk_migrations.values()]
    return TOO_OLD if any(wanted & applied and not wanted <= applied for wanted in replaced) else ""


@cache
def why_not_at_start() -> str:
    """Return `why_not` of the program's database; checked once per process."""
    return why_not(default)
