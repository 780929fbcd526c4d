from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "kgadmin.operations"

    def ready(self) -> None:
        from kgadmin.operations import checks  # noqa: F401, PLC0415  (registers the checks)
