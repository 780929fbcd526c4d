from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def rename_in_documents(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The reason "led" becomes "elicited", and what a verdict's evidence quotes is its `sentence`."""
    for name in ("Decision", "Batch"):
        apps.get_model("review", name).objects.filter(reason="led").update(reason="elicited")
    verdicts = apps.get_model("review", "Verdict").objects
    for pk, evidence in verdicts.exclude(evidence={}).values_list("pk", "evidence").iterator():
        quotes = [each for name in ("reasons", "nearest", "conflicts") for each in evidence.get(name, ())]
        for each in quotes:
            if "said" in each:
                each["sentence"] = each.pop("said")
        if quotes:
            verdicts.filter(pk=pk).update(evidence=evidence)


class Migration(migrations.Migration):
    dependencies = [("review", "0002_batches_undone_in_place")]

    operations = [
        migrations.RenameField("claim", "said_at", "stated_at"),
        migrations.RenameField("proposal", "said_at", "last_stated_at"),
        migrations.RunPython(rename_in_documents, migrations.RunPython.noop),
    ]
