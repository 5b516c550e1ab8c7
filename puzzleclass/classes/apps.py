from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from puzzleclass.templating.crumbs import add_list_page


class ClassesConfig(AppConfig):
    name = "puzzleclass.classes"
    verbose_name = _("Classes")

    def ready(self) -> None:
        add_list_page("classroom_list", _("Classes"))
        add_list_page("data_log", _("Data protection"), "classroom_list")
        from puzzleclass.classes import (
            audit,  # noqa: F401  (receives what is recorded)
            second_step,  # noqa: F401  (asks for it at the sign-in)
            slots,  # noqa: F401  (fills the slots)
        )
