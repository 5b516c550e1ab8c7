from django.apps import AppConfig


class FormsConfig(AppConfig):
    name = "puzzleclass.forms"
