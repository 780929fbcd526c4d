"""`manage.py first_admin_link`: print the path where the first administrator sets a password."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from kgadmin.accounts.services import first_admin_link
from kgadmin.rest.actions import Refused


class Command(BaseCommand):
    help = "Print the path where the first administrator sets a password. It works once, for three days."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--name", default="admin", help="What the account is called. Default: admin.")
        parser.add_argument("--if-needed", action="store_true", help="print nothing where there is an administrator")

    def handle(self, *args: Any, name: str, if_needed: bool, **options: Any) -> None:
        try:
            path = first_admin_link(name)
        except Refused as error:
            raise CommandError(f"{error} (--name)") from error
        if not path and not if_needed:
            raise CommandError("There is an administrator already. Ask them for an account.")
        self.stdout.write(path)
