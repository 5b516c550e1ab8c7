from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "puzzleclass.play"

    def ready(self) -> None:
        from puzzleclass.play import slots  # noqa: F401  (fills the slots)
