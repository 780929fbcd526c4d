from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "kgadmin.jobs"

    def ready(self) -> None:
        # `shared_task` binds to the application that exists when it is first used; the web process needs it too.
        import kgadmin.celery  # noqa: F401, PLC0415
