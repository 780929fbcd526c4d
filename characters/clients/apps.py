from django.apps import AppConfig


class ClientsConfig(AppConfig):
    name = "characters.clients"
    label = "clients"
