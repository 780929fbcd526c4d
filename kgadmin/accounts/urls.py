"""The door, accounts, API keys."""

from django.urls import path

from kgadmin.accounts import account_views, views

app_name = "accounts"

urlpatterns = [
    path("login/", views.login, name="login"),
    path("login/demo/", views.demo_login, name="demo_login"),
    path("logout/", views.logout, name="logout"),
    path("link/<str:token>/", account_views.link, name="link"),
    path("account/", account_views.own_account, name="own"),
    path("account/password/", account_views.change_password, name="change_password"),
    path("accounts/", account_views.index, name="index"),
    path("accounts/invite/", account_views.invite, name="invite"),
    path("accounts/<int:pk>/", account_views.account, name="account"),
    path("accounts/<int:pk>/roles/", account_views.give_roles, name="roles"),
    path("accounts/<int:pk>/switch/", account_views.switch, name="switch"),
    path("accounts/<int:pk>/link/", account_views.new_link, name="new_link"),
    path("keys/", account_views.all_keys, name="keys"),
    path("keys/make/", account_views.make_key, name="make_key"),
    path("keys/<int:pk>/revoke/", account_views.revoke_key, name="revoke_key"),
]
