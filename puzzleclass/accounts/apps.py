from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "puzzleclass.accounts"

    def ready(self) -> None:
        import puzzleclass.accounts.sign_in  # noqa: F401  (listens to sign-ins)
