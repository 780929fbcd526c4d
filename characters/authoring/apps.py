from django.apps import AppConfig


class AuthoringConfig(AppConfig):
    name = "characters.authoring"
    label = "authoring"
