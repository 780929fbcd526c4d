from django.apps import AppConfig


class InspectorConfig(AppConfig):
    name = "playground.inspector"
    label = "inspector"
