"""The Celery application: `celery -A kgadmin.celery worker|beat`."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_init
from kombu.transport import TRANSPORT_ALIASES

from kgadmin.stores import wiring

TRANSPORT_ALIASES["filesystem"] = "kgadmin.jobs.broker:Transport"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kgadmin.settings")

app = Celery("kgadmin")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def embed_by_export(**_: Any) -> None:
    """Embed with the export: half the time for many short texts, and no torch in memory."""
    wiring.embed_by_export()


@beat_init.connect
def first_heartbeat(**_: Any) -> None:
    """Send the first heartbeat without waiting for the schedule's first five seconds."""
    app.send_task("kgadmin.jobs.tasks.heartbeat", expires=30)
    print("beat is ready.", flush=True)  # the runner waits for it in the log
