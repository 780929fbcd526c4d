"""`manage.py load_demo`: load the demo content, once."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from kgadmin.operations.demo import loader


class Command(BaseCommand):
    help = "Load the demo's accounts, knowledge bases, characters and people, once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--again", action="store_true", help="Bring everything back to its shipped state.")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("Demo content is for demos only: anybody may sign in to its accounts. Set DEMO=1 first.")
        if loader.is_loaded() and not options["again"]:
            self.stdout.write("The demo was loaded before. `manage.py load_demo --again` brings it back as shipped.")
            return
        for line in loader.load():
            self.stdout.write(line)
