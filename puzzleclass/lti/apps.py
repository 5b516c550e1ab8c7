from django.apps import AppConfig


class LtiConfig(AppConfig):
    name = "puzzleclass.lti"

    def ready(self) -> None:
        # The tasks register themselves when they are imported.
        from puzzleclass.lti import grades, members, slots  # noqa: F401
