"""A class such as Role Instruction belongs to a pair of messages, as the others do: no row of its own."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("memory", "0002_changes_are_noted")]

    operations = [migrations.DeleteModel("MessageClass")]
