"""Pages of operations: dashboard, health, audit log."""

from django.urls import path

from kgadmin.operations import views

app_name = "operations"

urlpatterns = [
    path("dashboard/", views.overview, name="dashboard"),
    path("dashboard/drift/", views.drift, name="drift"),
    path("dashboard/drift/<slug:store>/repair/", views.repair, name="repair"),
    path("audit/", views.audit_log, name="audit_log"),
    path("health/", views.health, name="health"),
    path("language-model/", views.language_model, name="language_model"),
    path("language-model/test/", views.try_language_model, name="try_language_model"),
]
