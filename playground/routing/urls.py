"""Pages that try messages and measure which base is chosen."""

from django.urls import path

from playground.routing import views

app_name = "routing"

urlpatterns = [
    path("", views.preview_message, name="preview"),
    path("lab/", views.lab, name="lab"),
    path("labels/", views.add_label, name="add_label"),
    path("labels/import/", views.import_labels, name="import_labels"),
    path("labels/<int:pk>/remove/", views.remove_label, name="remove_label"),
    path("runs/", views.start_run, name="start_run"),
    path("runs/<int:pk>/", views.run, name="run"),
]
