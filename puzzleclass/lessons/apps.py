from django.apps import AppConfig


class LessonsConfig(AppConfig):
    name = "puzzleclass.lessons"

    def ready(self) -> None:
        from puzzleclass.lessons import slots  # noqa: F401  (fills the slots)
