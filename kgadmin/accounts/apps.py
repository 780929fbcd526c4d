"""Login accounts and their roles."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The app of the login accounts."""

    name = "kgadmin.accounts"
