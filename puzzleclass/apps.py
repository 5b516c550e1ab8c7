from django.apps import AppConfig


class PuzzleClassConfig(AppConfig):
    name = "puzzleclass"

    def ready(self) -> None:
        from puzzleclass import checks  # noqa: F401  (registers them)
