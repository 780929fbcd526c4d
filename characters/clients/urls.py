"""The pages of clients."""

from django.urls import path

from characters.clients import views

app_name = "clients"

urlpatterns = [
    path("", views.index, name="index"),
    path("connect/", views.connect, name="connect"),
    path("make/", views.make, name="make"),
    path("<int:pk>/", views.client, name="client"),
    path("<int:pk>/requests/", views.requests, name="requests"),
    path("keys/<int:pk>/revoke/", views.revoke, name="revoke"),
]
