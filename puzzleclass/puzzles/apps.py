from typing import Any

from django.apps import AppConfig


class PuzzlesConfig(AppConfig):
    name = "puzzleclass.puzzles"

    def ready(self) -> None:
        """Have the libraries learn what workers find out about their boards."""
        from puzzleclass.jobs.transitions import finished

        finished.connect(_keep_answer, dispatch_uid="libraries")


def _keep_answer(*, job: Any, **signal: object) -> None:
    from puzzleclass.puzzles.models import keep_answer

    keep_answer(job)
