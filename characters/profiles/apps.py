from django.apps import AppConfig


class ProfilesConfig(AppConfig):
    name = "characters.profiles"
    label = "profiles"
