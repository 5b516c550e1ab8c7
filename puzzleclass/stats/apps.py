from django.apps import AppConfig


class StatsConfig(AppConfig):
    name = "puzzleclass.stats"

    def ready(self) -> None:
        # Import the task: a worker knows the tasks that are loaded with the app.
        from puzzleclass.stats import dead_ends, slots  # noqa: F401  (`slots` fills the slots)
