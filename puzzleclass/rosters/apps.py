from django.apps import AppConfig


class RostersConfig(AppConfig):
    name = "puzzleclass.rosters"

    def ready(self) -> None:
        # The tasks register themselves when they are imported.
        from puzzleclass.rosters import uploads  # noqa: F401
