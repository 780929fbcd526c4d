from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def note_what_was_stale(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    change = apps.get_model("projection", "Change")
    for person in apps.get_model("conversations", "Person").objects.filter(stale=True):
        change.objects.create(owner=f"person:{person.pk}", kind="person", row=person.pk)
    messages = apps.get_model("conversations", "Message").objects.filter(stale=True, place__isnull=False)
    for pk, person in messages.order_by("pk").values_list("pk", "conversation__person_id"):
        change.objects.create(owner=f"person:{person}", kind="message", row=pk)


class Migration(migrations.Migration):

    dependencies = [
        ('projection', '0003_changes_are_noted'),
        ('conversations', '0001_squashed'),
    ]

    operations = [
        migrations.RunPython(note_what_was_stale, migrations.RunPython.noop),
        migrations.RemoveIndex(
            model_name='message',
            name='message_stale',
        ),
        migrations.RemoveIndex(
            model_name='person',
            name='person_stale',
        ),
        migrations.RemoveField(
            model_name='message',
            name='stale',
        ),
        migrations.RemoveField(
            model_name='message',
            name='version',
        ),
        migrations.RemoveField(
            model_name='person',
            name='stale',
        ),
        migrations.RemoveField(
            model_name='person',
            name='version',
        ),
    ]
