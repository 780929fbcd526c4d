"""`manage.py create_api_key USERNAME`: create a key for a program, and print it once, last."""

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from kgadmin.accounts.keys import client_named, create_key
from kgadmin.accounts.models import SCOPES, User


class Command(BaseCommand):
    help = "Creates an API key that acts as this account, and prints it as the last line."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--client", default="", help="The program that uses it. Default: the account's own.")
        parser.add_argument("--scope", action="append", choices=[*SCOPES], help="Default: all of them.")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no account “{options['username']}”.")
        client = client_named(options["client"] or f"{user.username}'s programs", by=user)
        if client.owner != user:
            raise CommandError(f"“{client}” belongs to another account. Choose another name.")
        _, text = create_key(client, scopes=options["scope"] or [*SCOPES], by=None, a_minute=600)
        self.stderr.write(f"A key for “{client}”. Store it now: it is not shown again.")
        self.stdout.write(text)
