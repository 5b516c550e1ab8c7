from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from puzzleclass.templating.crumbs import add_list_page


class WorkshopConfig(AppConfig):
    name = "puzzleclass.workshop"

    def ready(self) -> None:
        add_list_page("workshop_list", _("My kinds"), "puzzle_list")
        from puzzleclass.workshop import slots  # noqa: F401  (fills the slots)
