"""`manage.py export_character SLUG FOLDER`: write the live sheet in its folder form."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from characters.profiles.folder import BACKGROUND_FILE, IDENTITY_FILE, write_folder
from characters.profiles.models import Character


class Command(BaseCommand):
    help = "Writes the live sheet of SLUG into FOLDER, as publish_character reads it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("folder", type=Path)
        parser.add_argument("--force", action="store_true", help="overwrite an existing sheet")

    def handle(self, *args: Any, **options: Any) -> None:
        character = Character.objects.select_related("live_revision").filter(slug=options["slug"]).first()
        sheet = character.sheet if character else None
        if sheet is None:
            raise CommandError(f"There is no published character {options['slug']!r}.")
        folder: Path = options["folder"]
        if not options["force"] and any((folder / name).exists() for name in (IDENTITY_FILE, BACKGROUND_FILE)):
            raise CommandError(f"{folder} already contains a sheet. Use --force to overwrite it.")
        try:
            write_folder(sheet, folder)
        except OSError as error:
            raise CommandError(f"{folder} can't be written: {error.strerror}.") from error
        self.stdout.write(self.style.SUCCESS(f"{folder}: {IDENTITY_FILE} and {BACKGROUND_FILE} written."))
