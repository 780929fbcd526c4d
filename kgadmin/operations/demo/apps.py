from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "kgadmin.operations.demo"
