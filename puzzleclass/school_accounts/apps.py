from django.apps import AppConfig


class SchoolAccountsConfig(AppConfig):
    name = "puzzleclass.school_accounts"
    default_auto_field = "django.db.models.BigAutoField"
