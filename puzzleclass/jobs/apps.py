from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "puzzleclass.jobs"

    def ready(self) -> None:
        from puzzleclass.jobs import signals  # noqa: F401  (connects the receivers)
