from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "puzzleclass.jobs"

    def ready(self) -> None:
        from puzzleclass.jobs import delivery  # noqa: F401  (Celery's tasks and receivers)
