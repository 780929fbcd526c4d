import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Turns of before aren't counted for any base: the dashboard's figures of bases begin with the upgrade."""

    dependencies = [("conversations", "0007_longer_names_of_models"), ("knowledge", "0005_settings_of_bases")]

    operations = [
        migrations.AddField("turnmetrics", "hits", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("turnmetrics", "asked", models.JSONField(default=list)),
        migrations.CreateModel(
            "BaseUse",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hour", models.PositiveIntegerField()),
                ("hits", models.PositiveSmallIntegerField(default=0)),
                ("passages", models.PositiveSmallIntegerField(default=0)),
                (
                    "section",
                    models.CharField(
                        blank=True,
                        choices=[("primary", "Primary"), ("supplemental", "Supplemental")],
                        max_length=12,
                    ),
                ),
                (
                    "base",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="uses",
                        to="knowledge.knowledgebase",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="base_uses", to="conversations.turn"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["base", "hour", "turn"], name="base_use_newest"),
                    models.Index(condition=models.Q(passages__gt=0), fields=["base", "turn"], name="base_use_shown"),
                ],
            },
        ),
    ]
