"""Looking at everything from above."""

from django.apps import AppConfig


class OperationsConfig(AppConfig):
    """The app of health, checks and the language-model page."""

    name = "kgadmin.operations"

    def ready(self) -> None:
        from kgadmin.operations import checks  # noqa: F401, PLC0415  (registers the checks)
