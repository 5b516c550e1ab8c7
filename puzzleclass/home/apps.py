from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from puzzleclass.templating.crumbs import add_list_page


class HomeConfig(AppConfig):
    name = "puzzleclass.home"

    def ready(self) -> None:
        add_list_page("home", _("Your puzzles"))
        # The tasks are found by Celery, and the slots are filled.
        from puzzleclass.home import daily_mail, slots  # noqa: F401
