from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate

from kgadmin.projection import triggers


class ProjectionConfig(AppConfig):
    name = "kgadmin.projection"
    label = "projection"

    def ready(self) -> None:
        pre_migrate.connect(_remove, sender=self)
        post_migrate.connect(_install, sender=self)


def _remove(using: str, **kwargs: Any) -> None:
    triggers.remove(using)


def _install(using: str, **kwargs: Any) -> None:
    triggers.install(using)
