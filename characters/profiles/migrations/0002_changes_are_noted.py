from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def note_what_was_stale(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    change = apps.get_model("projection", "Change")
    for character in apps.get_model("profiles", "Character").objects.filter(stale=True):
        change.objects.create(owner=f"character:{character.pk}", kind="character", row=character.pk)


class Migration(migrations.Migration):

    dependencies = [
        ('projection', '0003_changes_are_noted'),
        ('profiles', '0001_squashed'),
    ]

    operations = [
        migrations.RunPython(note_what_was_stale, migrations.RunPython.noop),
        migrations.RemoveIndex(
            model_name='character',
            name='character_stale',
        ),
        migrations.RemoveField(
            model_name='character',
            name='stale',
        ),
        migrations.RemoveField(
            model_name='character',
            name='version',
        ),
    ]
