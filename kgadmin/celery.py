"""The Celery application: `celery -A kgadmin.celery worker|beat`."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init
from kombu.transport import TRANSPORT_ALIASES

TRANSPORT_ALIASES["filesystem"] = "kgadmin.jobs.broker:Transport"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kgadmin.settings")

app = Celery("kgadmin")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@beat_init.connect
def first_heartbeat(**_: Any) -> None:
    """Send the first heartbeat without waiting for the schedule's first five seconds."""
    app.send_task("kgadmin.jobs.tasks.heartbeat", expires=30)
    print("beat is ready.", flush=True)  # the runner waits for it in the log
