from django.apps import AppConfig


class KindsConfig(AppConfig):
    name = "puzzleclass.kinds"

    def ready(self) -> None:
        from puzzleclass.kinds.stored import find_kind
        from solvers.registry import add_source

        add_source(find_kind)
