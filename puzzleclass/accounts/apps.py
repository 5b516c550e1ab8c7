from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "puzzleclass.accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        import puzzleclass.accounts.sign_in  # noqa: F401  (listens to sign-ins)
