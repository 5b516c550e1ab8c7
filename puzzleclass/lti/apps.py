from django.apps import AppConfig


class LtiConfig(AppConfig):
    name = "puzzleclass.lti"
