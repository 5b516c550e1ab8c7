from django.apps import AppConfig


class SchoolAccountsConfig(AppConfig):
    name = "puzzleclass.school_accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from puzzleclass.school_accounts import slots  # noqa: F401  (fills the slots)
