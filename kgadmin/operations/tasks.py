"""Tasks that beat kicks for the data folder of one machine."""

from datetime import datetime
from pathlib import Path

from celery import shared_task
from django.conf import settings

from kgadmin.embedded import backup, forgotten
from kgadmin.jobs.tasks import Kick


@shared_task(base=Kick)
def keep_safe() -> None:
    """Note who was forgotten, and back up once a night; beat sends this every minute. PostgreSQL has its own tools."""
    database = settings.DATA_DIR / backup.DATABASE
    if Path(settings.DATABASES["default"]["NAME"]) == database:
        forgotten.note(settings.DATA_DIR, database)
        backup.back_up_nightly(settings.DATA_DIR, datetime.now())
