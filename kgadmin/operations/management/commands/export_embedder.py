"""`manage.py export_embedder`: let web processes and workers embed without torch."""

import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from kgadmin.stores import exported, exporter
from kgadmin.stores.errors import StoreError
from kgadmin.stores.exported import UnfitExportError
from kgadmin.stores.model_files import model_id


class Command(BaseCommand):
    help = "Exports the embedding model, so that web processes and workers need half of the time and of the memory."
    requires_system_checks = ()  # it says itself where there is no model

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--installed", action="store_true", help="put it beside the installed packages, not into the data folder"
        )
        parser.add_argument(
            "--if-possible", action="store_true", help="say why a model can't be exported, and end as if all were well"
        )

    def handle(self, *args: Any, installed: bool, if_possible: bool, **options: Any) -> None:
        folder = exported.INSTALLED if installed else exported.data_folder(Path(settings.DATA_DIR))
        try:
            self.stdout.write(_export(settings.CONFIG.embedder_model, folder))
        except (StoreError, UnfitExportError) as error:
            if not if_possible:
                raise CommandError(str(error)) from error
            self.stdout.write(f"{error} Web processes go on with sentence-transformers.")


def _export(model: str, folder: Path) -> str:
    try:
        there = exported.find(model_id(model), (folder, exported.INSTALLED))
    except UnfitExportError:
        began = time.monotonic()
        made = exporter.export(model, folder)
        return f"Exported {model} in {time.monotonic() - began:.0f} s, into {made}"
    return f"The export is already there: {there}"
