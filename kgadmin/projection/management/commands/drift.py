"""`manage.py drift`: compare the projections with the database."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from kgadmin.projection import services
from kgadmin.stores.errors import StoreError


class Command(BaseCommand):
    help = "Compares the graph with the database. Exit code 1 if they differ."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = services.drift()
        except StoreError as error:
            raise CommandError(error.message, returncode=2) from error
        waiting = [owner for projector in services.projectors() for owner in projector.stale()]
        for each in found:
            self.stdout.write(f"{each.owner}: {each.what}: the database has {each.expected}, found {each.found}")
        if waiting:
            self.stdout.write(f"{len(waiting)} still waiting to be projected: {', '.join(waiting)}")
        if found:
            sys.exit(1)
        self.stdout.write(self.style.SUCCESS("No drift."))
