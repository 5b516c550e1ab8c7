from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from puzzleclass.templating.crumbs import add_list_page


class SharingConfig(AppConfig):
    name = "puzzleclass.sharing"

    def ready(self) -> None:
        add_list_page("pack_list", _("Plans and collections"), "puzzle_list")
        from puzzleclass.sharing import slots  # noqa: F401  (fills the slots)
