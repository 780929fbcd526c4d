"""`manage.py drift`: compare the projections with the database."""

import sys
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from kgadmin.projection import services
from kgadmin.projection.comparison import Comparison, table
from kgadmin.stores.errors import StoreError


class Command(BaseCommand):
    help = "Compares graph and vectors with the database: counts, hashes, which ids differ. Exit code 1 if any do."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            compared = {store: list(services.compare(store)) for store in services.STORES}
        except StoreError as error:
            raise CommandError(error.message, returncode=2) from error
        for store, comparisons in compared.items():
            self._show(store, comparisons)
        waiting = services.waiting()
        if waiting:
            self.stdout.write(f"{len(waiting)} still waiting to be projected: {', '.join(waiting)}")
        if any(each.differences for comparisons in compared.values() for each in comparisons):
            sys.exit(1)
        self.stdout.write(self.style.SUCCESS("No drift."))

    def _show(self, store: str, comparisons: Sequence[Comparison]) -> None:
        for line in table(store, comparisons):
            self.stdout.write(line)
        for difference in (each for comparison in comparisons for each in comparison.differences):
            self.stdout.write(
                f"{difference.owner}: {difference.what}: "
                f"the database has {difference.expected}, found {difference.stored}"
            )
