from typing import Any

from django.db import migrations, models


def forgetful_keys_speak_for_nobody(apps: Any, schema_editor: Any) -> None:
    apps.get_model("accounts", "ApiKey").objects.filter(remembers=False).update(speaks_for="nobody")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_squashed")]
    operations = [
        migrations.AddField("client", "kind", models.CharField(default="script", max_length=20)),
        migrations.AddField(
            "apikey",
            "speaks_for",
            models.CharField(
                choices=[
                    ("request", "Whoever each request names"),
                    ("headers", "Whoever the program’s headers name"),
                    ("person", "One person"),
                    ("nobody", "Nobody: nothing is remembered"),
                ],
                default="request",
                max_length=10,
            ),
        ),
        migrations.AddField("apikey", "person", models.CharField(blank=True, max_length=80)),
        migrations.AddField("apikey", "headers", models.JSONField(blank=True, default=dict)),
        migrations.RunPython(forgetful_keys_speak_for_nobody, migrations.RunPython.noop),
        migrations.RemoveField("apikey", "remembers"),
    ]
