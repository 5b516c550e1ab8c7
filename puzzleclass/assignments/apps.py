from django.apps import AppConfig


class AssignmentsConfig(AppConfig):
    name = "puzzleclass.assignments"

    def ready(self) -> None:
        from puzzleclass.assignments import slots  # noqa: F401  (fills the slots)
