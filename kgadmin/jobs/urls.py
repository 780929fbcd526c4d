"""What a person does to a job that they watch."""

from django.urls import path

from kgadmin.jobs import views

app_name = "jobs"

urlpatterns = [
    path("<int:pk>/pause/", views.pause, name="pause"),
    path("<int:pk>/resume/", views.resume, name="resume"),
    path("<int:pk>/cancel/", views.cancel, name="cancel"),
]
