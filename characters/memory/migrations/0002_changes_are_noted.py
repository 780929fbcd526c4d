from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

KINDS = {"Entity": "entity", "UserFact": "user_fact", "Similarity": "similarity", "Relation": "relation"}


def note_what_was_stale(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    change = apps.get_model("projection", "Change")
    for model, kind in KINDS.items():
        stale = apps.get_model("memory", model).objects.filter(stale=True)
        for pk, person in stale.order_by("pk").values_list("pk", "person_id"):
            change.objects.create(owner=f"person:{person}", kind=kind, row=pk)


class Migration(migrations.Migration):

    dependencies = [
        ('projection', '0003_changes_are_noted'),
        ('memory', '0001_squashed'),
    ]

    operations = [
        migrations.RunPython(note_what_was_stale, migrations.RunPython.noop),
        migrations.RemoveIndex(
            model_name='entity',
            name='entity_stale',
        ),
        migrations.RemoveIndex(
            model_name='relation',
            name='relation_stale',
        ),
        migrations.RemoveIndex(
            model_name='similarity',
            name='similarity_stale',
        ),
        migrations.RemoveIndex(
            model_name='userfact',
            name='user_fact_stale',
        ),
        migrations.RemoveField(
            model_name='entity',
            name='stale',
        ),
        migrations.RemoveField(
            model_name='entity',
            name='version',
        ),
        migrations.RemoveField(
            model_name='relation',
            name='stale',
        ),
        migrations.RemoveField(
            model_name='relation',
            name='version',
        ),
        migrations.RemoveField(
            model_name='similarity',
            name='stale',
        ),
        migrations.RemoveField(
            model_name='similarity',
            name='version',
        ),
        migrations.RemoveField(
            model_name='userfact',
            name='stale',
        ),
        migrations.RemoveField(
            model_name='userfact',
            name='version',
        ),
    ]
