"""The Celery application; its settings are the `CELERY_` ones of `settings.py`.

Its tasks are in `jobs.delivery`, `pruning`, `stats` and `practice`, which Django loads with the
apps.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "puzzleclass.settings")

app = Celery("puzzleclass")
app.config_from_object("django.conf:settings", namespace="CELERY")
