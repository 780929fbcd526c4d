"""Unclassify pairs whose class earlier versions guessed without a cue, with a confidence below 0.6."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def forget_guesses(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    guesses = apps.get_model("memory", "Relation").objects.filter(
        origin="cues", status__in=["classified", "uncertain"], confidence__lt=0.6
    )
    guesses.update(relation="", confidence=0.0, evidence="", status="unclassified")


class Migration(migrations.Migration):
    dependencies = [("memory", "0003_no_message_classes")]

    operations = [migrations.RunPython(forget_guesses, migrations.RunPython.noop)]
