from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from puzzleclass.templating.crumbs import add_list_page


class RostersConfig(AppConfig):
    name = "puzzleclass.rosters"

    def ready(self) -> None:
        add_list_page("school_list", _("Schools"), "classroom_list")
        # The tasks register themselves when they are imported.
        from puzzleclass.rosters import (
            slots,  # noqa: F401  (fills the slots)
            uploads,  # noqa: F401
        )
