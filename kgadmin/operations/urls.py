"""Pages of operations: dashboard, use of knowledge bases, health, audit log."""

from django.urls import path

from kgadmin.operations import base_views, views

app_name = "operations"

urlpatterns = [
    path("dashboard/", views.overview, name="dashboard"),
    path("dashboard/drift/", views.drift, name="drift"),
    path("dashboard/drift/<slug:store>/repair/", views.repair, name="repair"),
    # Slugs made from names contain no hyphen, so this address can't hide a base.
    path("knowledge/use-of-bases/", base_views.bases, name="use_of_bases"),
    path("knowledge/<slug:slug>/use/", base_views.base, name="base_use"),
    path("knowledge/<slug:slug>/turns/", base_views.turns, name="base_turns"),
    path("audit/", views.audit_log, name="audit_log"),
    path("health/", views.health, name="health"),
    path("language-model/", views.language_model, name="language_model"),
    path("language-model/test/", views.try_language_model, name="try_language_model"),
]
