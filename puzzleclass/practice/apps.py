from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from puzzleclass.templating.crumbs import add_list_page


class PracticeConfig(AppConfig):
    name = "puzzleclass.practice"

    def ready(self) -> None:
        add_list_page("practice", _("Practice"))
        add_list_page("challenges", _("Challenges"), "practice")
        # A worker only knows the tasks of modules that are loaded with the app.
        from puzzleclass.practice import counting, slots, stock  # noqa: F401
