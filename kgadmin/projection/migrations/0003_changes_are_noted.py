from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def note_what_was_stale(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    change = apps.get_model("projection", "Change")
    for tombstone in apps.get_model("projection", "Tombstone").objects.order_by("pk"):
        kind, _, row = tombstone.key.partition(":")
        if row:
            change.objects.create(owner=tombstone.owner, kind=kind, row=row)
        else:
            change.objects.create(owner=tombstone.owner, kind="rebuild", row=0)


class Migration(migrations.Migration):

    dependencies = [
        ('projection', '0002_vectors_without_texts'),
    ]

    operations = [
        migrations.CreateModel(
            name='Change',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('owner', models.CharField(max_length=100)),
                ('kind', models.CharField(max_length=20)),
                ('row', models.PositiveBigIntegerField()),
            ],
        ),

        migrations.AddIndex(
            model_name='change',
            index=models.Index(fields=['owner', 'kind'], name='change_of_owner'),
        ),
        migrations.RunPython(note_what_was_stale, migrations.RunPython.noop),
        migrations.DeleteModel(name="Tombstone"),
    ]
