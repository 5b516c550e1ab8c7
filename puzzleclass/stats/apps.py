from django.apps import AppConfig


class StatsConfig(AppConfig):
    name = "puzzleclass.stats"

    def ready(self) -> None:
        # Their tasks: a worker knows those that were loaded with the app.
        from puzzleclass.stats import dead_ends, reviews  # noqa: F401
