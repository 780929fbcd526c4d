from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def name_owners_by_key(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Name bases by their keys where changes of their chunks are noted, and ask for collections of such names.

    By way of a third name: the slug of one base may be the key of another.
    """
    change = apps.get_model("projection", "Change")
    bases = dict(apps.get_model("knowledge", "KnowledgeBase").objects.values_list("pk", "slug"))
    for pk, slug in bases.items():
        change.objects.filter(owner=f"base:{slug}").update(owner=f"base-{pk}")
    for pk in bases:
        change.objects.filter(owner=f"base-{pk}").update(owner=f"base:{pk}")
        change.objects.create(owner=f"base:{pk}", kind="collection", row=pk)
    apps.get_model("projection", "Lease").objects.filter(owner__startswith="base:").delete()


class Migration(migrations.Migration):

    dependencies = [
        ('projection', '0003_changes_are_noted'),
        ('knowledge', '0004_thresholds'),
    ]

    operations = [
        migrations.AddField(
            model_name='knowledgebase',
            name='language',
            field=models.CharField(choices=[('en', 'English'), ('ar', 'Arabic'), ('zh', 'Chinese'), ('cs', 'Czech'), ('da', 'Danish'), ('nl', 'Dutch'), ('fi', 'Finnish'), ('fr', 'French'), ('de', 'German'), ('el', 'Greek'), ('he', 'Hebrew'), ('hi', 'Hindi'), ('hu', 'Hungarian'), ('it', 'Italian'), ('ja', 'Japanese'), ('ko', 'Korean'), ('no', 'Norwegian'), ('pl', 'Polish'), ('pt', 'Portuguese'), ('ro', 'Romanian'), ('ru', 'Russian'), ('es', 'Spanish'), ('sv', 'Swedish'), ('tr', 'Turkish'), ('uk', 'Ukrainian')], default='en', max_length=2),
        ),
        migrations.AddField(
            model_name='knowledgebase',
            name='chunk_tokens',
            field=models.PositiveSmallIntegerField(default=200),
        ),
        migrations.AddField(
            model_name='knowledgebase',
            name='overlap_tokens',
            field=models.PositiveSmallIntegerField(default=30),
        ),
        migrations.RunPython(name_owners_by_key, migrations.RunPython.noop),
    ]
