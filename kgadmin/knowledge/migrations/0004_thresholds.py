from typing import Any

import django.core.validators
from django.db import migrations, models
from django.db.models import Value
from django.db.models.functions import Coalesce


def _as_measured(apps: Any, schema_editor: Any) -> None:
    """Let bases that nobody set a threshold for use a measured one, and measure them all in the next minutes."""
    apps.get_model("knowledge", "KnowledgeBase").objects.filter(own_threshold=0.40).update(own_threshold=None)
    apps.get_model("knowledge", "WordCounts").objects.update(idle_count=0)


class Migration(migrations.Migration):

    dependencies = [
        ("knowledge", "0003_readers"),
    ]

    operations = [
        migrations.RenameField("knowledgebase", "threshold", "own_threshold"),
        migrations.AlterField(
            "knowledgebase",
            "own_threshold",
            models.FloatField(
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(0.0),
                    django.core.validators.MaxValueValidator(1.0),
                ],
            ),
        ),
        migrations.AddField(
            "knowledgebase", "own_threshold_of", models.CharField(blank=True, default="", max_length=64), False
        ),
        migrations.AddField("knowledgebase", "measured_threshold", models.FloatField(null=True)),
        migrations.AddField(
            "knowledgebase", "content", models.CharField(blank=True, default="", editable=False, max_length=64), False
        ),
        migrations.RunPython(_as_measured, migrations.RunPython.noop),
        migrations.AddField(
            "knowledgebase",
            "threshold",
            models.GeneratedField(
                db_persist=True,
                expression=Coalesce("own_threshold", "measured_threshold", Value(0.4)),
                output_field=models.FloatField(),
            ),
        ),
    ]
