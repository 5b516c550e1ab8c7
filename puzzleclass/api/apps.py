from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "puzzleclass.api"

    def ready(self) -> None:
        from puzzleclass.api import slots  # noqa: F401  (fills the slots)
