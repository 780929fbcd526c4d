"""The Celery application: `celery -A kgadmin.celery worker|beat`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kgadmin.settings")

app = Celery("kgadmin")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
