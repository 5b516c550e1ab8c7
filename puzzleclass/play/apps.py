from typing import Any

from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "puzzleclass.play"

    def ready(self) -> None:
        from puzzleclass.jobs.transitions import finished

        # Import the task: a worker knows the tasks that are loaded with the app.
        from puzzleclass.play import reviews, slots  # noqa: F401  (`slots` fills the slots)

        finished.connect(_note_review, dispatch_uid="reviews")


def _note_review(*, job: Any, **signal: object) -> None:
    from puzzleclass.play.reviews import note_review

    note_review(job)
