from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def note_what_was_stale(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    change = apps.get_model("projection", "Change")
    chunks = apps.get_model("knowledge", "Chunk").objects.filter(stale=True, vector__isnull=False)
    for pk, slug in chunks.order_by("pk").values_list("pk", "base__slug"):
        change.objects.create(owner=f"base:{slug}", kind="chunk", row=pk)
    for tombstone in apps.get_model("knowledge", "Tombstone").objects.select_related("base"):
        owner = f"base:{tombstone.base.slug}"
        if tombstone.chunk_id is not None:
            change.objects.create(owner=owner, kind="chunk", row=tombstone.chunk_id)
        elif tombstone.collection == tombstone.base.collection:
            change.objects.create(owner=owner, kind="collection", row=tombstone.base_id)


class Migration(migrations.Migration):

    dependencies = [
        ('projection', '0003_changes_are_noted'),
        ('knowledge', '0001_squashed'),
    ]

    operations = [
        migrations.RunPython(note_what_was_stale, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name='tombstone',
            name='base',
        ),
        migrations.RemoveIndex(
            model_name='chunk',
            name='chunk_stale',
        ),
        migrations.RemoveField(
            model_name='chunk',
            name='stale',
        ),
        migrations.DeleteModel(
            name='Tombstone',
        ),
    ]
