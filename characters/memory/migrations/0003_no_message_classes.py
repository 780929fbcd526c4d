"""Delete MessageClass: classes such as Role Instruction belong to pairs of messages, like all others."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("memory", "0002_changes_are_noted")]

    operations = [migrations.DeleteModel("MessageClass")]
