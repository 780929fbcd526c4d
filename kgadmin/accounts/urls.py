"""The door."""

from django.urls import path

from kgadmin.accounts import views

app_name = "accounts"

urlpatterns = [
    path("login/", views.login, name="login"),
    path("login/demo/", views.demo_login, name="demo_login"),
    path("logout/", views.logout, name="logout"),
    path("welcome/<str:token>/", views.welcome, name="welcome"),
]
