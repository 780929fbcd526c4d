"""Pages of the message graph."""

from django.urls import path

from characters.memory.enrichment import views

app_name = "enrichment"

urlpatterns = [
    path("", views.runs, name="runs"),
    path("<int:pk>/", views.run, name="run"),
    path("<int:pk>/progress/", views.progress, name="progress"),
    path("relations/", views.relations, name="relations"),
    path("relations/<int:pk>/relabel/", views.relabel, name="relabel"),
    path("relations/<int:pk>/reject/", views.reject, name="reject"),
]
