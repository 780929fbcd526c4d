"""`manage.py purge_database`: the database's part of `make purge`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from kgadmin.projection import services


class Command(BaseCommand):
    help = "Has graph and vectors written anew by the next sweep, and removes deleted rows from SQLite's files."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        if "projection_change" not in connection.introspection.table_names():
            self.stdout.write("There is no database yet.")
            return
        for store in services.STORES:
            services.rebuild(store)
        if connection.vendor != "sqlite":
            self.stdout.write(f"{connection.display_name} keeps its own files: VACUUM FULL and its backups are yours.")
            return
        self._rewrite_file()
        self.stdout.write("The database's file is written anew.")

    def _rewrite_file(self) -> None:
        """Rewrite the file: deleted text was overwritten at once (`secure_delete`), but old pages may remain in the
        log beside it.
        """
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA temp_store = MEMORY")  # no copy in a temporary file
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy = cursor.fetchone()[0]
        if busy:
            raise CommandError("Another process has the database open. Stop it, then purge again.")
