"""Pages of the knowledge bases."""

from django.urls import path

from kgadmin.knowledge import views

app_name = "knowledge"

urlpatterns = [
    path("", views.bases, name="bases"),
    # Slugs made from names contain no hyphen, so this address can't hide a base.
    path("register-a-base/", views.register, name="register"),
    path("<slug:slug>/", views.base, name="base"),
    path("<slug:slug>/ingestion/", views.ingestion, name="ingestion"),
    path("<slug:slug>/documents/<int:pk>/", views.document, name="document"),
    path("<slug:slug>/upload/", views.upload, name="upload"),
    path("<slug:slug>/preview/", views.preview, name="preview"),
    path("<slug:slug>/continue/", views.go_on, name="continue"),
    path("<slug:slug>/delete/", views.delete, name="delete"),
    path("<slug:slug>/documents/remove-failed/", views.remove_failed, name="remove_failed"),
    path("<slug:slug>/again/", views.ingest_again, name="ingest_again"),
    path("<slug:slug>/switch/", views.switch, name="switch"),
    path("<slug:slug>/threshold/", views.set_threshold, name="threshold"),
    path("<slug:slug>/documents/<int:pk>/again/", views.read_again, name="read_again"),
    path("<slug:slug>/documents/<int:pk>/remove/", views.remove, name="remove"),
]
