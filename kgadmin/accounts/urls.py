"""Pages of signing in and accounts."""

from django.urls import path

from kgadmin.accounts import views

app_name = "accounts"

urlpatterns = [
    path("login/", views.login, name="login"),
    path("login/demo/", views.demo_login, name="demo_login"),
    path("logout/", views.logout, name="logout"),
    path("link/<str:token>/", views.link, name="link"),
    path("account/", views.own_account, name="own"),
    path("account/password/", views.change_password, name="change_password"),
    path("accounts/", views.index, name="index"),
    path("accounts/invite/", views.invite, name="invite"),
    path("accounts/<int:pk>/", views.account, name="account"),
    path("accounts/<int:pk>/roles/", views.give_roles, name="roles"),
    path("accounts/<int:pk>/switch/", views.switch, name="switch"),
    path("accounts/<int:pk>/link/", views.new_link, name="new_link"),
]
