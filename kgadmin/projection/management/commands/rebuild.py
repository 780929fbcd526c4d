"""`manage.py rebuild graph|vectors [--later]`: rebuild a projection from nothing."""

import time
from typing import Any, cast

from django.core.management.base import BaseCommand, CommandError, CommandParser

from kgadmin.projection import services
from kgadmin.projection.comparison import table
from kgadmin.projection.models import Lease
from kgadmin.projection.services import Store
from kgadmin.stores.errors import StoreError

WAIT_SECONDS = 0.5
MAX_FAILURES = 3


class Command(BaseCommand):
    help = "Empties the graph or the vectors, and writes all of it anew from the database."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("stores", choices=services.STORES, nargs="+", metavar="graph|vectors")
        parser.add_argument("--later", action="store_true", help="let the workers do it, and don't wait for them")

    def handle(self, *args: Any, stores: list[str], later: bool, **options: Any) -> None:
        for store in cast(list[Store], stores):
            if later:
                services.rebuild(store)
            else:
                self._handle(store)

    def _handle(self, chosen: Store) -> None:
        try:
            services.rebuild(chosen)
            self._finish()
            self._tell(chosen)
        except StoreError as error:
            raise CommandError(error.message, returncode=2) from error

    def _finish(self) -> None:
        Lease.objects.update(retry_at=None, failures=0)
        while waiting := services.waiting():
            services.sweep()
            failed = Lease.objects.filter(owner__in=waiting, failures__gte=MAX_FAILURES).exclude(error="").first()
            if failed:
                raise CommandError(
                    f"{failed.owner}: {failed.error} What is left is written as soon as that is over.", returncode=2
                )
            if services.waiting():
                time.sleep(WAIT_SECONDS)

    def _tell(self, store: Store) -> None:
        compared = list(services.compare(store))
        for line in table(store, compared):
            self.stdout.write(line)
        if differing := [difference for comparison in compared for difference in comparison.differences]:
            raise CommandError(f"{len(differing)} differences are left; manage.py drift names them.")
        self.stdout.write(self.style.SUCCESS(f"Done: the {store} from nothing, as the database says."))
