from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from puzzleclass.templating.crumbs import add_list_page


class GalleryConfig(AppConfig):
    name = "puzzleclass.gallery"

    def ready(self) -> None:
        add_list_page("gallery", _("Gallery"), "home")
        from puzzleclass.gallery import slots  # noqa: F401  (fills the slots)
