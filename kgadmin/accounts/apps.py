from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "kgadmin.accounts"
