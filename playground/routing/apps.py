from django.apps import AppConfig


class RoutingConfig(AppConfig):
    name = "playground.routing"
    label = "routing"
