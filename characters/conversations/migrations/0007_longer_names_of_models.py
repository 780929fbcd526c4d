from django.db import migrations, models


class Migration(migrations.Migration):
    """A persona may name a model, with as many characters."""

    dependencies = [("conversations", "0006_newest_messages")]

    operations = [
        migrations.AlterField("turn", "model", models.CharField(blank=True, max_length=200)),
    ]
