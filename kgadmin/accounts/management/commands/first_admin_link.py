"""`manage.py first_admin_link`: the path where the first administrator is made."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from kgadmin.accounts.models import User
from kgadmin.accounts.services import first_admin_token


class Command(BaseCommand):
    """Print the path of the link; it works once, and only while there is no account."""

    help = "Print the path that creates the first administrator. It works once, while there are no accounts."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--if-needed", action="store_true", help="print nothing where there are accounts")

    def handle(self, *args: Any, if_needed: bool, **options: Any) -> None:
        if User.objects.exists():
            if if_needed:
                return
            raise CommandError("There are accounts already. Ask an administrator.")
        self.stdout.write(reverse("accounts:welcome", args=[first_admin_token()]))
