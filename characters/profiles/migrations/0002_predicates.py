"""Registers the predicates of `predicates.json`."""

import json
from pathlib import Path

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def register(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    Predicate = apps.get_model("profiles", "Predicate")
    rows = json.loads((Path(__file__).parent.parent / "predicates.json").read_text())
    Predicate.objects.bulk_create((Predicate(**row) for row in rows), ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [("profiles", "0001_initial")]
    operations = [migrations.RunPython(register, migrations.RunPython.noop)]
