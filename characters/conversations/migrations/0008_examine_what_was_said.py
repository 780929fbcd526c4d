from typing import Any

from django.db import migrations


def examine_all(apps: Any, schema_editor: Any) -> None:
    """Memory quotes nothing of before until it was looked at, either: a job per person does that."""
    messages = apps.get_model("conversations", "Message").objects.filter(place__isnull=False)
    messages.update(unexamined=True)
    jobs = apps.get_model("jobs", "Job").objects
    open_jobs = jobs.filter(kind="remember", state__in=["queued", "running", "paused"])
    asked_for = set(open_jobs.values_list("subject", flat=True))
    people = messages.order_by().values_list("conversation__person", flat=True).distinct()
    subjects = (f"person:{person}" for person in people.iterator())
    jobs.bulk_create(
        (jobs.model(kind="remember", subject=subject) for subject in subjects if subject not in asked_for),
        batch_size=500,
    )


class Migration(migrations.Migration):

    dependencies = [
        ('conversations', '0007_unexamined'),
        ('jobs', '0002_pause_and_cancel'),
    ]

    operations = [migrations.RunPython(examine_all, migrations.RunPython.noop)]
