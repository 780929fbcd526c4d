from django.db import migrations, models


class Migration(migrations.Migration):
    """PostgreSQL sorted all messages of a conversation to find the newest."""

    dependencies = [("conversations", "0005_names_in_traces")]

    operations = [
        migrations.AddIndex("message", models.Index(fields=["conversation", "id"], name="message_newest")),
    ]
