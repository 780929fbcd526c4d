from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "kgadmin.demo"
    label = "demo"
