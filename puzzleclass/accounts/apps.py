from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from puzzleclass.templating.crumbs import add_list_page


class AccountsConfig(AppConfig):
    name = "puzzleclass.accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        add_list_page("account", _("Your account"))
        import puzzleclass.accounts.sign_in  # noqa: F401  (listens to sign-ins)
        from puzzleclass.accounts import slots  # noqa: F401  (fills the slots)
