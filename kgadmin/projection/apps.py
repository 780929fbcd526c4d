from django.apps import AppConfig


class ProjectionConfig(AppConfig):
    name = "kgadmin.projection"
    label = "projection"
