from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from puzzleclass.templating.crumbs import add_list_page


class PuzzlesConfig(AppConfig):
    name = "puzzleclass.puzzles"

    def ready(self) -> None:
        add_list_page("puzzle_list", _("Puzzles"))
        """Have answers stored in the library rows of their boards when jobs finish."""
        from puzzleclass.jobs.transitions import finished

        finished.connect(_store_answer, dispatch_uid="libraries")
        from puzzleclass.puzzles import slots  # noqa: F401  (fills the slots)


def _store_answer(*, job: Any, **signal: object) -> None:
    from puzzleclass.puzzles.models import store_answer

    store_answer(job)
