from django.apps import AppConfig


class CalendarsConfig(AppConfig):
    name = "puzzleclass.calendars"

    def ready(self) -> None:
        from puzzleclass.calendars import slots  # noqa: F401  (fills the slots)
