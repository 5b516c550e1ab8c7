from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from puzzleclass.templating.crumbs import add_list_page


class LearnConfig(AppConfig):
    name = "puzzleclass.learn"

    def ready(self) -> None:
        add_list_page("learn", _("Discover"))
        add_list_page("learn_kikazu", _("Non-attacking pieces"), "learn")
