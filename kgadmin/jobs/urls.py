"""Addresses for pausing, resuming and cancelling jobs."""

from django.urls import path

from kgadmin.jobs import views
from kgadmin.jobs.services import ACTS

app_name = "jobs"

urlpatterns = [path(f"<int:pk>/{verb}/", views.act, {"verb": verb}, name=verb) for verb in ACTS]
