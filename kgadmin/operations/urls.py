"""Pages of whoever looks after the whole."""

from django.urls import path

from kgadmin.operations import views

app_name = "operations"

urlpatterns = [
    path("health/", views.health, name="health"),
    path("language-model/", views.language_model, name="language_model"),
    path("language-model/test/", views.try_language_model, name="try_language_model"),
]
