from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from puzzleclass.templating.crumbs import add_list_page


class StudiesConfig(AppConfig):
    name = "puzzleclass.studies"

    def ready(self) -> None:
        add_list_page("studies", _("Discover"))
        add_list_page("study_kikazu", _("Peaceful Pieces"), "studies")
