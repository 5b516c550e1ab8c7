from django.apps import AppConfig


class PracticeConfig(AppConfig):
    name = "puzzleclass.practice"

    def ready(self) -> None:
        # A worker only knows the tasks of modules that are loaded with the app.
        from puzzleclass.practice import counting, stock  # noqa: F401
