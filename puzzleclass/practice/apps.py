from django.apps import AppConfig


class PracticeConfig(AppConfig):
    name = "puzzleclass.practice"

    def ready(self) -> None:
        # Its task: a worker knows those that were loaded with the app.
        from puzzleclass.practice import stock  # noqa: F401
