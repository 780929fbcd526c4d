"""`manage.py publish_character SLUG FOLDER`: publish a sheet from its folder form."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from characters.domain.sheet import Sheet
from characters.profiles import comparison, services
from characters.profiles.documents import SheetError
from characters.profiles.folder import read_folder
from characters.profiles.models import Character


class Command(BaseCommand):
    help = "Publishes the sheet in FOLDER (character.md, background.yaml) as the next revision of SLUG."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("folder", type=Path)
        parser.add_argument("--create", action="store_true", help="create the character if no character has this slug")
        parser.add_argument("--note", default="", help="the reason, in a few words")

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["slug"]
        character = Character.objects.select_related("live_revision").filter(slug=slug).first()
        if character is None and not options["create"]:
            known = ", ".join(Character.objects.values_list("slug", flat=True)) or "none yet"
            raise CommandError(f"There is no character {slug!r} (there are: {known}). Use --create to create one.")
        try:
            folder = read_folder(options["folder"], known=character.sheet if character else None)
            for note in folder.notes:
                self.stdout.write(note)
            self._publish(character, slug, folder.sheet, options["note"])
        except SheetError as error:
            raise CommandError(
                "Nothing was published.\n" + "\n".join(f"  {line}" for line in error.problems)
            ) from error

    def _publish(self, character: Character | None, slug: str, sheet: Sheet, note: str) -> None:
        if character is None:
            services.create_character(slug=slug, sheet=sheet, by=None, note=note or "Created from a folder")
            self.stdout.write(self.style.SUCCESS(f"{slug}: created with {len(sheet.facts)} facts, live as revision 1."))
            return
        changes = comparison.changes(character.sheet, sheet)
        if not changes:
            self.stdout.write(f"{slug}: no differences from the live sheet, so nothing was published.")
            return
        changed = [each.after for each in changes.changed]
        for sign, facts in (("+", changes.added), ("~", changed), ("-", changes.removed)):
            for fact in facts:
                self.stdout.write(f"{sign} {fact.predicate}: {fact.object}")
        for part in changes.elsewhere:
            self.stdout.write(f"~ {part.label}")
        revision = services.publish(character, sheet=sheet, by=None, note=note or "Published from a folder")
        self.stdout.write(self.style.SUCCESS(f"{slug}: revision {revision.number} is live."))
