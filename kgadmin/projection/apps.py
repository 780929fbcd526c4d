from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate

from kgadmin.projection import triggers


class ProjectionConfig(AppConfig):
    name = "kgadmin.projection"

    def ready(self) -> None:
        pre_migrate.connect(triggers.remove, sender=self)
        post_migrate.connect(triggers.install, sender=self)
