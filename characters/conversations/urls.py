"""Pages of the import."""

from django.urls import path

from characters.conversations import views

app_name = "imports"

urlpatterns = [
    path("", views.index, name="index"),
    path("upload/", views.upload, name="upload"),
    path("<int:pk>/", views.detail, name="import"),
    path("<int:pk>/start/", views.start, name="start"),
    path("<int:pk>/progress/", views.progress, name="progress"),
    path("<int:pk>/discard/", views.discard, name="discard"),
]
