from typing import Any

from django.apps import AppConfig


class StatsConfig(AppConfig):
    name = "puzzleclass.stats"

    def ready(self) -> None:
        from puzzleclass.jobs.transitions import finished

        # Import the tasks: a worker knows the tasks that are loaded with the app.
        from puzzleclass.stats import dead_ends, reviews  # noqa: F401

        finished.connect(_note_review, dispatch_uid="reviews")
        from puzzleclass.stats import slots  # noqa: F401  (fills the slots)


def _note_review(*, job: Any, **signal: object) -> None:
    from puzzleclass.play.reviews import note_review

    note_review(job)
