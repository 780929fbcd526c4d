from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def write_vectors_anew(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The vector store held texts beside the vectors; its next contents are ids and vectors alone."""
    if apps.get_model("projection", "Lease").objects.exists():  # else nothing was ever written
        apps.get_model("projection", "Tombstone").objects.get_or_create(owner="vectors", key="vectors")


class Migration(migrations.Migration):

    dependencies = [('projection', '0001_squashed')]

    operations = [migrations.RunPython(write_vectors_anew, migrations.RunPython.noop)]
