from django.apps import AppConfig


class MemoryConfig(AppConfig):
    name = "characters.memory"
    label = "memory"
